package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.StoreException;
import dev.sweep.StoreUnavailableException;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.TransactionEnd;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the next user of a connection finds after a handler had it. The pool here has one connection. */
class HandlerSessionIT extends HandlerSetting {

    private static final String INIT = "set search_path = information_schema; set app.region = 'north';"
            + " create temporary table if not exists mine (n int)";

    private HikariDataSource pool;
    private JooqTaskStore store;

    @BeforeEach
    void openPool() {
        HikariConfig config = new HikariConfig();
        config.setDataSource(test.server.dataSource());
        config.setMaximumPoolSize(1);
        config.setConnectionInitSql(INIT);
        config.setConnectionTimeout(10_000);
        pool = new HikariDataSource(config);
        store = storeOn(pool);
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    private static JooqTaskStore storeOn(DataSource source) {
        return JooqTaskStore.builder(source).schema(test.schema).build();
    }

    private String inPool(String sql) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            return query(connection, sql);
        }
    }

    private String backend() throws SQLException {
        return inPool("select pg_backend_pid()");
    }

    private void assertThatTheNextFindsAllAsItWasOpened() throws SQLException {
        assertThat(inPool("show search_path")).isEqualTo("information_schema");
        assertThat(inPool("show app.region")).isEqualTo("north");
        assertThat(inPool("show statement_timeout")).isEqualTo("0");
        assertThat(inPool("show timezone"))
                .isEqualTo(test.query("show timezone").get(0));
        assertThat(inPool("show transaction_isolation")).isEqualTo("read committed");
        assertThat(inPool("select current_setting('app.tenant', true)")).isIn(null, "");
        assertThat(inPool("select current_user = session_user and current_setting('role') = 'none'"))
                .isEqualTo("t");
        assertThat(inPool("select count(*) from pg_listening_channels()")).isEqualTo("0");
        assertThat(inPool("select string_agg(relname, ',') from pg_class where relnamespace = pg_my_temp_schema()"))
                .isEqualTo("mine");
        assertThat(inPool("select count(*) from pg_prepared_statements where from_sql"))
                .isEqualTo("0");
        assertThat(inPool("select count(*) from pg_cursors where is_holdable")).isEqualTo("0");
        assertThat(inPool("select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()"))
                .isEqualTo("0");
        assertThat(test.count(
                        "pg_stat_activity where state like 'idle in transaction%' and datname = current_database()"
                                + " and query like '%" + test.schema + "%'"))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "set statement_timeout = '7s'",
                "set search_path = pg_catalog",
                "set session characteristics as transaction isolation level serializable",
                "set time zone 'Asia/Kolkata'",
                "set app.tenant = '7'",
                "select set_config('app.tenant', '7', false)",
                "set role pg_monitor",
                "reset all",
                "listen news",
                "create temporary table theirs (n int)",
                "drop table mine",
                "prepare theirs as select 1",
                "declare theirs cursor with hold for select 1",
                "do 'begin set statement_timeout = 7000; end'",
            })
    void aSessionThatAHandlerChangedIsReplaced(String change) throws Exception {
        String before = backend();
        assertThat(run(store, claimed(), connection -> execute(connection, change)))
                .isEqualTo(new TransactionEnd.Committed(false));
        assertThat(backend()).isNotEqualTo(before);
        assertThatTheNextFindsAllAsItWasOpened();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "set local statement_timeout = '7s'",
                "set local role pg_monitor",
                "set local app.tenant = '7'",
                "select set_config('app.tenant', '7', true)",
                "create temporary table theirs (n int) on commit drop",
                "declare theirs cursor for select 1",
                "select pg_advisory_lock(7)",
                "select pg_advisory_xact_lock(7)",
                "notify news",
                "set statement_timeout = '7s'; set statement_timeout = 0",
            })
    void aSessionThatIsAsItWasIsKept(String work) throws Exception {
        String before = backend();
        run(store, claimed(), connection -> execute(connection, work));
        assertThat(backend()).isEqualTo(before);
        assertThatTheNextFindsAllAsItWasOpened();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select 1",
                "set statement_timeout = '7s'",
                "select pg_advisory_lock(7)",
                "prepare theirs as select 1",
                "commit; set statement_timeout = '7s'",
            })
    void noAttemptThatFailedLeavesAnythingEither(String change) throws Exception {
        assertThatThrownBy(() -> run(store, claimed(), connection -> {
                    execute(connection, change);
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThatTheNextFindsAllAsItWasOpened();
    }

    @Test
    void openStatementsAndCursorsOfAHandlerAreOver() throws Exception {
        run(store, claimed(), connection -> {
            Statement statement = connection.createStatement();
            statement.setFetchSize(1);
            ResultSet rows = statement.executeQuery("select generate_series(1, 100)");
            assertThat(rows.next()).isTrue();
        });
        assertThat(inPool("select count(*) from pg_cursors where name like 'C\\_%'"))
                .isEqualTo("0");
        assertThatTheNextFindsAllAsItWasOpened();
    }

    /** Case B29: the pool replaces what is gone at once, not only when someone has stumbled over it. */
    @Test
    void aKilledSessionIsReplaced() throws Exception {
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> run(store, task, connection -> {
                    effect(connection, task);
                    test.execute("select pg_terminate_backend(" + query(connection, "select pg_backend_pid()") + ")");
                }))
                .isInstanceOf(StoreUnavailableException.class);
        assertThatTheNextFindsAllAsItWasOpened();
        assertThat(effects()).isZero();
    }

    /** Case B29. */
    @Test
    void anAbortedTransactionIsNotHandedOn() throws Exception {
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> run(store, task, connection -> {
                    effect(connection, task);
                    effect(connection, task);
                }))
                .hasMessageContaining("duplicate key");
        assertThatTheNextFindsAllAsItWasOpened();
        assertThat(effects()).isZero();
    }

    /** A source that hands out one connection again and again, and resets nothing itself. */
    @Test
    void aPlainConnectionComesBackAsItWasGiven() throws Exception {
        try (Connection one = test.server.dataSource().getConnection()) {
            one.setAutoCommit(false);
            one.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            one.setNetworkTimeout(Runnable::run, 54_321);
            execute(one, "set app.region = 'north'");
            one.commit();
            JooqTaskStore plain = storeOn(Interceptions.always(one));
            run(
                    plain,
                    claimed(),
                    connection -> assertThat(query(connection, "show transaction_isolation"))
                            .isEqualTo("read committed"));
            assertThat(one.isClosed()).isFalse();
            assertThat(one.getAutoCommit()).isFalse();
            assertThat(one.getNetworkTimeout()).isEqualTo(54_321);
            assertThat(query(one, "show transaction_isolation")).isEqualTo("repeatable read");
            assertThat(query(one, "show app.region")).isEqualTo("north");
            assertThat(query(one, "show idle_in_transaction_session_timeout")).isEqualTo("0");
        }
    }

    @Test
    void aPlainConnectionThatAHandlerChangedIsEnded() throws Exception {
        try (Connection one = test.server.dataSource().getConnection()) {
            JooqTaskStore plain = storeOn(Interceptions.always(one));
            run(plain, claimed(), connection -> execute(connection, "set app.tenant = '7'"));
            assertThat(one.isClosed()).isTrue();
        }
    }

    /** Pools without autocommit may hand out a connection in the middle of a transaction, such as their own probe's. */
    @Test
    void aTransactionThatCameWithTheConnectionIsNotTheHandlers() throws Exception {
        ClaimedTask task = claimed();
        try (Connection one = test.server.dataSource().getConnection()) {
            one.setAutoCommit(false);
            execute(one, "insert into sweep.effect values (0, 2)");
            run(storeOn(Interceptions.always(one)), task, connection -> effect(connection, task));
        }
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aConnectionThatCanNotBeSetUpIsEnded() {
        ClaimedTask task = claimed();
        List<Connection> given = new ArrayList<>();
        JooqTaskStore broken =
                storeOn(Interceptions.beforeEach(test.server.dataSource(), "getNetworkTimeout", connection -> {
                    given.add(connection);
                    throw new SQLException("not today", "0A000");
                }));
        assertThatThrownBy(() -> run(broken, task, connection -> {})).isInstanceOf(StoreException.class);
        assertThat(given)
                .singleElement()
                .satisfies(connection -> assertThat(connection.isClosed()).isTrue());
    }
}
