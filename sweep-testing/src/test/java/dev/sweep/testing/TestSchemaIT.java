package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TestSchemaIT {

    private final PostgresServer server = PostgresServer.shared();
    private final String name = server.newSchemaName("test schema");
    private final TestSchema schema = new TestSchema(server.dataSource(), name, Duration.ofMillis(50));

    @BeforeEach
    void create() throws SQLException {
        execute("create schema " + name + "; create table " + name + ".version as select 1 as number; create table "
                + name + ".\"Odd Name\" (n int); create table " + name + ".other (n int)");
        schema.keepWhatIsThere();
    }

    @AfterEach
    void drop() {
        schema.drop();
    }

    @Test
    void tablesThatWereEmptyAreEmptiedAndTheOthersKept() throws SQLException {
        execute("insert into " + name + ".\"Odd Name\" values (1); insert into " + name + ".other values (1)");

        schema.empty();

        assertThat(count("\"Odd Name\"") + count("other")).isZero();
        assertThat(count("version")).isEqualTo(1);
    }

    @Test
    void tablesMadeLaterAreEmptiedToo() throws SQLException {
        execute("create table " + name + ".later as select 1 as number");

        schema.empty();

        assertThat(count("later")).isZero();
    }

    @Test
    void transactionLeftOpenIsToldInsteadOfWaitedForForEver() throws SQLException {
        try (Connection forgotten = server.dataSource().getConnection();
                Statement statement = forgotten.createStatement()) {
            forgotten.setAutoCommit(false);
            statement.execute("insert into " + name + ".other values (1)");

            assertThatThrownBy(schema::empty)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("schema " + name)
                    .hasMessageContaining("does a test or a worker of it leave a transaction open?");
        }
    }

    @Test
    void timeDoesNotGoBack() {
        assertThatThrownBy(() -> schema.bringNearer(Duration.ofSeconds(-1)))
                .hasMessage("can't advance by PT-1S; use zero or more");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int count(String table) throws SQLException {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + name + "." + table)) {
            row.next();
            return row.getInt(1);
        }
    }
}
