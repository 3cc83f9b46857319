package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TransactionConflictException;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.Failure;
import dev.sweep.spi.TransactionEnd;
import dev.sweep.spi.TransactionalStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A transaction that completes its task against what others make of the same attempt. */
class HandlerFencesIT {

    @RegisterExtension
    static final Database db = Database.named("handler_fences");

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** What a worker does that lost the answer to a commit, looked too early, and takes the attempt for failed. */
    @Test
    void aFailureThatIsReportedWhileTheCommitIsUnderWayIsRefused() throws Exception {
        TaskId id = db.sweep.enqueue(Errands.QUICK_TX.with(Errands.NOTHING)).id();
        FreezingSource freezing = new FreezingSource(db.source, "task_outcome");
        try (freezing) {
            TransactionalStore completing =
                    (TransactionalStore) db.anotherSweep(freezing.source()).store();
            ClaimedTask task =
                    db.claim("quick.tx", 1, Duration.ofMinutes(1)).tasks().get(0);
            Future<TransactionEnd> completion = threads.submit(
                    () -> completing.completeInTransaction(List.of(task), connection -> leaveEffect(connection, task)));
            freezing.awaitFrozen();
            Future<Set<Attempt>> failure = threads.submit(failureOf(task.attempt()));
            db.awaitAnswerOrWaiter(failure);
            freezing.thaw();

            assertThat(Awaiting.answer(completion)).isInstanceOf(TransactionEnd.Committed.class);
            assertThat(Awaiting.answer(failure)).isEmpty();
        } finally {
            threads.shutdownNow();
        }
        assertThat(db.status(id)).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(db.task(id).retryCount()).isZero();
    }

    @Test
    void aTransactionWhoseTaskWasTakenBackLeavesNoEffect() throws Exception {
        TaskId id = db.sweep.enqueue(Errands.QUICK_TX.with(Errands.NOTHING)).id();
        ClaimedTask task =
                db.claim("quick.tx", 1, Duration.ofMinutes(1)).tasks().get(0);

        TransactionEnd end = db.store.completeInTransaction(List.of(task), connection -> {
            db.store.release(List.of(task.attempt()));
            return leaveEffect(connection, task);
        });

        assertThat(end).isEqualTo(new TransactionEnd.Refused(Set.of(task.attempt())));
        assertThat(db.count("sweep.fx")).isZero();
        assertThat(db.status(id)).isEqualTo(TaskStatus.PENDING);
    }

    /** Once and again, like a worker, while the row is locked. */
    private static Callable<Set<Attempt>> failureOf(Attempt attempt) {
        List<Failure> failure = List.of(new Failure(
                attempt, Duration.ZERO, Duration.ofHours(1), "java.sql.SQLException", "the answer was lost"));
        return () -> {
            while (true) {
                try {
                    return db.store.fail(failure);
                } catch (TransactionConflictException locked) {
                    Thread.onSpinWait();
                }
            }
        };
    }

    private static List<Completion> leaveEffect(Connection connection, ClaimedTask task) throws SQLException {
        db.execute(connection, "insert into sweep.fx values (" + task.id() + ", 1, 'w', true)");
        return List.of(new Completion(task.attempt(), Duration.ZERO));
    }
}
