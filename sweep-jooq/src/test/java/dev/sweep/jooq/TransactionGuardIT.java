package dev.sweep.jooq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.StoreException;
import dev.sweep.TaskStatus;
import dev.sweep.spi.ClaimedTask;
import java.io.StringReader;
import java.sql.Array;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;
import org.postgresql.core.BaseConnection;
import org.postgresql.geometric.PGpoint;

/** What a handler can do with its connection, and what it can't by any way. */
class TransactionGuardIT extends HandlerSetting {

    @FunctionalInterface
    private interface Call {
        void run() throws Exception;
    }

    @Test
    void whatWouldEndTheTransactionIsRefused() throws Exception {
        run(claimed(), connection -> {
            List<Call> calls = List.of(
                    connection::commit, connection::rollback, connection::close, () -> connection.setAutoCommit(true));
            for (Call call : calls) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("is refused: Sweep ends this transaction");
            }
        });
    }

    @Test
    void whatWouldStayForTheNextUserOfTheConnectionIsRefused() throws Exception {
        run(claimed(), connection -> {
            PGConnection driver = connection.unwrap(PGConnection.class);
            List<Call> calls = List.of(
                    () -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE),
                    () -> connection.setReadOnly(true),
                    () -> connection.setSchema("public"),
                    () -> connection.setCatalog("postgres"),
                    () -> connection.setNetworkTimeout(Runnable::run, 1),
                    () -> connection.setTypeMap(Map.of()),
                    () -> connection.setHoldability(ResultSet.CLOSE_CURSORS_AT_COMMIT),
                    () -> connection.setClientInfo("ApplicationName", "mine"),
                    () -> connection.setClientInfo(new Properties()),
                    () -> driver.setPrepareThreshold(1),
                    () -> driver.setDefaultFetchSize(1),
                    () -> driver.addDataType("mine", PGpoint.class));
            for (Call call : calls) {
                assertThatThrownBy(call::run)
                        .isInstanceOfAny(SQLException.class, IllegalStateException.class)
                        .hasMessageContaining("it would stay for the next user of the connection");
            }
        });
    }

    @Test
    void everyWayToAConnectionLeadsToTheGuardedOne() throws Exception {
        run(claimed(), connection -> {
            Statement statement = connection.createStatement();
            PreparedStatement prepared = connection.prepareStatement("select array[1, 2]");
            CallableStatement callable = connection.prepareCall("{call pg_sleep(0)}");
            ResultSet rows = prepared.executeQuery();
            rows.next();
            Array array = rows.getArray(1);
            List<Connection> found = new ArrayList<>();
            found.add(statement.getConnection());
            found.add(prepared.getConnection());
            found.add(callable.getConnection());
            found.add(rows.getStatement().getConnection());
            found.add(array.getResultSet().getStatement().getConnection());
            found.add(((Array) rows.getObject(1)).getResultSet().getStatement().getConnection());
            found.add(connection.getMetaData().getConnection());
            found.add(connection.getMetaData().getSchemas().getStatement().getConnection());
            found.add(statement.unwrap(Statement.class).getConnection());
            found.add(connection.unwrap(Connection.class));
            statement.execute("insert into " + test.quotedSchema() + ".effect values (0, 3)", new String[] {"once"});
            found.add(statement.getGeneratedKeys().getStatement().getConnection());
            assertThat(found).allSatisfy(one -> assertThat(one).isSameAs(connection));
        });
    }

    @Test
    void theDriversOwnClassesAreNotHandedOut() throws Exception {
        run(claimed(), connection -> {
            for (Class<?> type :
                    List.of(BaseConnection.class, connection.createStatement().getClass(), test.source.getClass())) {
                if (!type.isInstance(connection)) {
                    assertThat(connection.isWrapperFor(type)).isFalse();
                    assertThatThrownBy(() -> connection.unwrap(type))
                            .isInstanceOf(SQLException.class)
                            .hasMessageContaining("org.postgresql.PGConnection is offered, for COPY");
                }
            }
            assertThat(connection.isWrapperFor(PGConnection.class)).isTrue();
            assertThat(connection.unwrap(PGConnection.class)).isNotInstanceOf(Connection.class);
            PGStatement statement = connection.createStatement().unwrap(PGStatement.class);
            assertThat(statement).isNotInstanceOf(Statement.class);
            assertThat(statement.getPrepareThreshold()).isPositive();
        });
    }

    @Test
    void savepointsWork() throws Exception {
        ClaimedTask task = claimed();
        run(task, connection -> {
            Savepoint before = connection.setSavepoint();
            effect(connection, task);
            assertThatThrownBy(() -> effect(connection, task)).hasMessageContaining("duplicate key");
            connection.rollback(before);
            connection.releaseSavepoint(connection.setSavepoint("mine"));
        });
        assertThat(effects()).isZero();
        assertThat(status(task)).isEqualTo(TaskStatus.SUCCEEDED);
    }

    @Test
    void copyWorks() throws Exception {
        ClaimedTask task = claimed();
        run(task, connection -> {
            long rows = connection
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(test.inSchema("copy sweep.effect from stdin"), new StringReader("1\t1\n2\t2\n"));
            assertThat(rows).isEqualTo(2);
        });
        assertThat(effects()).isEqualTo(2);
        assertThat(status(task)).isEqualTo(TaskStatus.SUCCEEDED);
    }

    /** The driver lets nobody else use a connection in the middle of a COPY, so that the completion would wait for ever. */
    @Test
    @Timeout(30)
    void aCopyThatIsLeftOpenFailsTheAttempt() {
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> run(
                        task,
                        connection -> connection
                                .unwrap(PGConnection.class)
                                .getCopyAPI()
                                .copyIn(test.inSchema("copy sweep.effect from stdin"))
                                .writeToCopy("1\t1\n".getBytes(UTF_8), 0, 4)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("by a COPY that it left open");
        assertThat(effects()).isZero();
    }

    @Test
    void jooqWorks() throws Exception {
        ClaimedTask task = claimed();
        run(task, connection -> {
            var dsl = DSL.using(connection, SQLDialect.POSTGRES);
            dsl.batch(
                            dsl.query(test.inSchema("insert into sweep.effect values (1, 1)")),
                            dsl.query(test.inSchema("insert into sweep.effect values (2, 2)")))
                    .execute();
            assertThat(dsl.fetch(test.inSchema("select task_id, once from sweep.effect order by 1"))
                            .getValues(0, Long.class))
                    .containsExactly(1L, 2L);
            Integer[] array =
                    dsl.select(DSL.val(new Integer[] {1, 2})).fetchOne().value1();
            assertThat(array).containsExactly(1, 2);
            try (var cursor = dsl.resultQuery(test.inSchema("select * from sweep.effect"))
                    .fetchSize(1)
                    .fetchLazy()) {
                assertThat(cursor.fetchNext()).isNotNull();
            }
        });
        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void arraysGoInAsTheyCameOut() throws Exception {
        run(claimed(), connection -> {
            Array array = connection.createArrayOf("int8", new Long[] {1L, 2L});
            try (PreparedStatement statement = connection.prepareStatement("select ?::int8[]")) {
                statement.setArray(1, array);
                try (ResultSet rows = statement.executeQuery()) {
                    rows.next();
                    assertThat((Long[]) rows.getArray(1).getArray()).containsExactly(1L, 2L);
                    assertThat(rows.getStatement()).isEqualTo(statement);
                }
            }
        });
    }

    @Test
    void nothingIsOfUseAfterTheHandlerHasReturned() throws Exception {
        CompletableFuture<Connection> connection = new CompletableFuture<>();
        CompletableFuture<Statement> statement = new CompletableFuture<>();
        CompletableFuture<PGConnection> driver = new CompletableFuture<>();
        run(claimed(), given -> {
            connection.complete(given);
            statement.complete(given.createStatement());
            driver.complete(given.unwrap(PGConnection.class));
        });
        assertThat(connection.join().isClosed()).isTrue();
        assertThat(statement.join().isClosed()).isTrue();
        List<Call> calls = List.of(
                () -> connection.join().createStatement(),
                () -> statement.join().execute("select 1"),
                () -> statement.join().getConnection(),
                () -> driver.join().getCopyAPI(),
                () -> driver.join().getBackendPID());
        for (Call call : calls) {
            assertThatThrownBy(call::run).hasMessageContaining("the handler has returned");
        }
        statement.join().close();
        connection.join().close();
    }
}
