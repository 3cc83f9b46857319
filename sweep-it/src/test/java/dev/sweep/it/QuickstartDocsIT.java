package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Sweep;
import dev.sweep.TaskType;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.testing.PostgresServer;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The Java and the SQL of docs/quickstart.md, letter by letter: compiled and run. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class QuickstartDocsIT {

    private static final DocPage PAGE = DocPage.read("docs/quickstart.md");
    private static final TaskType<Bonus> BONUS = TaskType.of("bonus", Bonus.class);
    private static final TaskType<Receipt> RECEIPT = TaskType.of("receipt", Receipt.class);

    private record Bonus(long accountId, int amount) {}

    private record Receipt(long accountId) {}

    @Test
    void pageShowsTheSampleAsItIs() throws IOException {
        assertThat(PAGE.blocks("java")).containsExactly(Sample.of(QuickstartDocsIT.class) + "\n");
    }

    @Test
    void transactionalHandlerWritesOnceAndEnqueues() throws Exception {
        try (ScratchDatabase database = ScratchDatabase.create(PostgresServer.shared(), "quick start");
                Sweep sweep = Sweep.create(
                        JooqTaskStore.builder(database.dataSource()).build())) {
            sweep.migrate();
            execute(database.dataSource(), "create table ledger (account_id bigint, amount integer)");
            for (String sql : PAGE.blocks("sql")) {
                execute(database.dataSource(), sql);
            }
            sweep.enqueue(BONUS.with(new Bonus(42, 10)));

            try (Worker worker =
                    register(Worker.builder(sweep).queue("default", 2)).build()) {
                worker.start();
                assertThat(worker.awaitIdle(Duration.ofSeconds(30))).isTrue();
            }

            assertThat(one(database.dataSource(), "select account_id || ' ' || amount from ledger"))
                    .isEqualTo("42 10");
            assertThat(one(
                            database.dataSource(),
                            "select string_agg(type || ' ' || status, ', ' order by id) from sweep.tasks"))
                    .isEqualTo("mail.welcome pending, bonus succeeded, receipt pending");
        }
    }

    private static WorkerBuilder register(WorkerBuilder worker) {
        // sample {
        worker.handleInTransaction(BONUS, (bonus, context) -> {
            try (PreparedStatement insert = context.connection().prepareStatement("insert into ledger values (?, ?)")) {
                insert.setLong(1, bonus.accountId());
                insert.setInt(2, bonus.amount());
                insert.executeUpdate();
            }
            context.enqueue(RECEIPT.with(new Receipt(bonus.accountId()))); // exists only if this commits
        });
        // } sample
        return worker;
    }

    private static void execute(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String one(DataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
