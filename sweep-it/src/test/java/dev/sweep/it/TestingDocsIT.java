package dev.sweep.it;

import dev.sweep.TaskType;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.testing.SweepExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The sample of docs/testing.md that needs PostgreSQL; {@link TestingDocsTest} holds it against the page. */
class TestingDocsIT {

    @Nested
    // sample {
    class BonusIT {

        record Bonus(long accountId) {}

        record Receipt(long accountId) {}

        static final TaskType<Bonus> BONUS = TaskType.of("bonus", Bonus.class);
        static final TaskType<Receipt> RECEIPT = TaskType.of("receipt", Receipt.class);

        @RegisterExtension
        static final SweepExtension tasks = SweepExtension.onPostgres(
                (source, schema) -> JooqTaskStore.builder(source).schema(schema).build());

        @Test
        void isEnqueuedInTheTransactionOfTheCaller() throws SQLException {
            try (Connection tx = tasks.dataSource().getConnection()) {
                tx.setAutoCommit(false);
                tasks.sweep().enqueue(tx, BONUS.with(new Bonus(42)).priority(7));

                tasks.assertThatTasks(tx).enqueued(BONUS).single().hasPriority(7); // seen from within
                tx.rollback();
            }
            tasks.assertThatTasks().nothingEnqueued();
        }

        @Test
        void aReceiptIsThereOnceTheBonusIsPaid() {
            tasks.handleInTransaction(BONUS, (bonus, context) -> {
                context.enqueue(RECEIPT.with(new Receipt(bonus.accountId())));
                if (context.attempt() == 1) {
                    throw new IllegalStateException("the ledger is closed");
                }
            });
            tasks.sweep().enqueue(BONUS.with(new Bonus(42)));

            tasks.drain().hasFailures(1);
            tasks.assertThatTasks().notEnqueued(RECEIPT);

            tasks.advance(Duration.ofHours(1)).drain().hasRun(1).hasNoFailures();
            tasks.assertThatTasks().enqueued(RECEIPT).hasPayloads(new Receipt(42));
        }
    }
    // } sample
}
