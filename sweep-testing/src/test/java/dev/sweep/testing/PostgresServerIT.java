package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresServerIT {

    private final PostgresServer shared = PostgresServer.shared();

    @Test
    void sharedServerAnswersWithTheVersionItNames() throws SQLException {
        assertThat(ask(shared, "select version()")).startsWith("PostgreSQL " + shared.version());
        assertThat(shared.versionNum()).isGreaterThanOrEqualTo(140_000);
        assertThat(ask(shared, "select current_user")).isEqualTo(shared.user());
    }

    @Test
    void sharedServerIsTheSameEachTimeAndOutlivesItsUsers() throws SQLException {
        shared.close();

        assertThat(PostgresServer.shared()).isSameAs(shared);
        assertThat(ask(shared, "select 1")).isEqualTo("1");
    }

    @Test
    void sharedServerTakesTwoHundredConnections() throws SQLException {
        assertThat(Integer.parseInt(ask(shared, "show max_connections"))).isGreaterThanOrEqualTo(200);
    }

    @Test
    void schemaNamesAreDistinctAndNeedNoQuotes() {
        String first = shared.newSchemaName("Claims: Order & Room, of a test with quite a long name");
        String second = shared.newSchemaName("Claims: Order & Room, of a test with quite a long name");

        assertThat(first).isNotEqualTo(second).matches("[a-z_][a-z0-9_]{0,62}");
    }

    @Test
    void dropSchemaTakesEverythingInItAndMindsNoAbsence() throws SQLException {
        String schema = shared.newSchemaName("drop");
        execute(shared, "create schema " + schema + " create table t (id int)");

        shared.dropSchema(schema);
        shared.dropSchema(schema);

        assertThat(ask(shared, "select count(*) from pg_namespace where nspname = '" + schema + "'"))
                .isEqualTo("0");
    }

    @Test
    void oldestServerRunsFromItsJar() throws SQLException {
        Path jar = Path.of(System.getProperty("sweep.test.postgres.oldest"));
        try (PostgresServer oldest = PostgresServer.embedded().binaries(jar).start()) {
            assertThat(oldest.versionNum()).isBetween(140_000, 149_999);
            assertThat(ask(oldest, "show server_version_num")).isEqualTo(Integer.toString(oldest.versionNum()));
            assertThat(ask(oldest, "show fsync")).isEqualTo("off");
            assertThat(ask(oldest, "show max_connections")).isEqualTo("300");
        }
    }

    @Test
    void durableServerKeepsWhatItConfirms() throws SQLException {
        try (PostgresServer durable = PostgresServer.embedded()
                .durable(true)
                .setting("shared_buffers", "64MB")
                .start()) {
            assertThat(ask(durable, "show fsync")).isEqualTo("on");
            assertThat(ask(durable, "show synchronous_commit")).isEqualTo("on");
            assertThat(ask(durable, "show full_page_writes")).isEqualTo("on");
            assertThat(ask(durable, "show shared_buffers")).isEqualTo("64MB");
        }
    }

    @Test
    void jarWithoutBinariesIsNamed(@TempDir Path folder) throws IOException {
        Path jar = folder.resolve("empty.jar");
        try (JarOutputStream empty = new JarOutputStream(Files.newOutputStream(jar))) {
            empty.putNextEntry(new ZipEntry("README"));
        }

        assertThatThrownBy(() -> PostgresServer.embedded().binaries(jar).start())
                .hasStackTraceContaining("empty.jar has no .txz archive in it");
    }

    @Test
    void givenUrlMayCarryUserAndPassword() {
        ServerAddress address =
                ServerAddress.ofUrl("jdbc:postgresql://localhost:5432/db?user=someone&password=s3cret%26");

        assertThat(address.user()).isEqualTo("someone");
        assertThat(address.password()).isEqualTo("s3cret&");
        assertThat(address.toString()).doesNotContain("s3cret");
        assertThat(address.place()).doesNotContain("s3cret");
    }

    @Test
    void givenUrlThatIsNoneOfPostgresSaysHowToWriteIt() {
        assertThatThrownBy(() -> ServerAddress.ofUrl("postgres://localhost/db"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("SWEEP_TEST_URL")
                .hasMessageContaining("jdbc:postgresql://host:port/database");
    }

    @Test
    void serverThatCanNotBeReachedIsNamed() {
        ServerAddress nowhere = new ServerAddress("jdbc:postgresql://localhost:1/db?password=s3cret", "someone", "");

        assertThatThrownBy(() -> new PostgresServer(nowhere, () -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("jdbc:postgresql://localhost:1/db as someone")
                .hasMessageNotContaining("s3cret");
    }

    private static String ask(PostgresServer server, String question) throws SQLException {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return row.getString(1);
        }
    }

    private static void execute(PostgresServer server, String sql) throws SQLException {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
