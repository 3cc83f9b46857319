package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Sweep;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.testing.PostgresServer;
import dev.sweep.worker.Worker;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The sample of README.md, letter by letter: compiled, run, and compared with the page. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class ReadmeSampleIT {

    private final CompletableFuture<String> sent = new CompletableFuture<>();

    @Test
    void sampleRuns() throws Exception {
        try (ScratchDatabase database = ScratchDatabase.create(PostgresServer.shared(), "readme")) {
            createAccounts(database.dataSource());

            assertThat(Application.signUpAndSweep(database.dataSource(), sent::complete, sent))
                    .isEqualTo("ada@example.org");

            try (Sweep sweep =
                    Sweep.create(JooqTaskStore.builder(database.dataSource()).build())) {
                assertThat(sweep.counts())
                        .filteredOn(count -> count.status() == TaskStatus.SUCCEEDED)
                        .allMatch(count -> count.count() == 1);
            }
        }
    }

    @Test
    void readmeShowsTheSampleAsItIs() throws IOException {
        String sample = Sample.of(ReadmeSampleIT.class);

        assertThat(DocPage.read("README.md").blocks("java")).contains(sample + "\n");
        assertThat(sample.lines()).hasSizeBetween(10, 29);
    }

    private static void createAccounts(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create table account (id bigint primary key, email text not null)");
        }
    }

    /** What an application sends mail with. */
    private interface Mailer {
        void send(String address);
    }

    private static final class Application {

        private Application() {}

        static String signUpAndSweep(DataSource dataSource, Mailer mailer, CompletableFuture<String> sent)
                throws Exception {
            // sample {
            record Welcome(long accountId, String email) {}
            TaskType<Welcome> welcome = TaskType.of("mail.welcome", Welcome.class);

            Sweep sweep = Sweep.create(JooqTaskStore.builder(dataSource).build());
            sweep.migrate(); // creates or updates the schema "sweep"

            try (Connection tx = dataSource.getConnection()) {
                tx.setAutoCommit(false);
                try (PreparedStatement insert = tx.prepareStatement("insert into account values (?, ?)")) {
                    insert.setLong(1, 42);
                    insert.setString(2, "ada@example.org");
                    insert.executeUpdate();
                }
                sweep.enqueue(
                        tx, welcome.with(new Welcome(42, "ada@example.org")).dedupKey("welcome:42"));
                tx.commit(); // now both exist; after a rollback neither would
            }

            Worker worker = Worker.builder(sweep)
                    .queue("default", 8)
                    .handle(welcome, (payload, context) -> mailer.send(payload.email()))
                    .build();
            worker.start(); // in this process or in any other that reaches the database
            // } sample
            try (sweep;
                    worker) {
                String address = sent.get(30, TimeUnit.SECONDS);
                assertThat(worker.awaitIdle(Duration.ofSeconds(30))).isTrue();
                return address;
            }
        }
    }
}
