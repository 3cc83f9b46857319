package dev.sweep.maintenance;

import static dev.sweep.maintenance.Installation.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.TaskType;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeyPurgerIT {

    private static final Installation db = Installation.named("keys");
    private static final KeyPurger PURGER = new KeyPurger();

    @AfterAll
    static void close() {
        db.close();
    }

    @BeforeEach
    void empty() {
        db.execute("truncate sweep.task, sweep.task_outcome, sweep.task_failure, sweep.task_ready, sweep.task_key,"
                + " sweep.stat_delta, sweep.dead_letter");
    }

    @Test
    void onlyKeysGoThatProtectNothingAnyMore() {
        db.ended("kept-until-retention-", 1, "1 hour", "1 minute", "succeeded");
        db.ended("gone-until-finished-", 1, "1 hour", "1 minute", "succeeded");
        db.ended("gone-window-", 1, "1 hour", "1 minute", "succeeded");
        db.ended("kept-window-", 1, "1 hour", "1 minute", "succeeded");
        db.execute("update sweep.task_key set until_finished = true where key like 'gone-until%'");
        db.execute(
                "update sweep.task_key set until = clock_timestamp() - interval '1 second' where key like 'gone-w%'");
        db.execute("update sweep.task_key set until = clock_timestamp() + interval '1 hour' where key like 'kept-w%'");
        db.execute("insert into sweep.task_key (key, id) values ('gone-ownerless', 42)");
        db.sweep.enqueue(TaskType.json("some.type").with(Json.of("{}")).dedupKey("kept-waiting"));

        assertThat(db.run(PURGER)).isEqualTo(ChoreResult.done(3));
        assertThat(db.query("select key from sweep.task_key order by key"))
                .containsExactly("kept-until-retention-1", "kept-waiting", "kept-window-1");
    }

    @Test
    void theKeyOfADeadLetterStaysAsLongAsItsScopeSays() {
        db.ended("until-retention-", 1, "1 hour", "1 minute", "failed");
        db.ended("until-finished-", 1, "1 hour", "1 minute", "failed");
        db.execute("update sweep.task_key set until_finished = true where key like 'until-finished%'");
        assertThat(db.run(new DeadLetterMover()).rows()).isEqualTo(2);
        db.run(PURGER);
        assertThat(db.query("select key from sweep.task_key")).containsExactly("until-retention-1");
    }

    @Test
    void aKeyThatIsTakenOverWhileItIsJudgedStaysWithItsNewOwner() throws Exception {
        db.ended("k-", 1, "1 hour", "1 minute", "succeeded");
        db.execute("update sweep.task_key set until_finished = true");
        ExecutorService purge = Executors.newSingleThreadExecutor();
        try (Connection enqueue = db.source.getConnection();
                Statement statement = enqueue.createStatement()) {
            enqueue.setAutoCommit(false);
            statement.execute(db.inSchema("select sweep.enqueue_task('some.type', '{}', 'k-1')"));
            Future<ChoreResult> run = purge.submit(() -> db.run(PURGER));
            assertThat(run.get().rows()).as("the key is held").isZero();
            enqueue.commit();
        } finally {
            purge.shutdownNow();
        }
        assertThat(db.run(PURGER).rows()).as("its new owner waits").isZero();
        assertThat(db.count("sweep.task_key k join sweep.task_ready r on r.id = k.id"))
                .isEqualTo(1);
    }

    @Test
    void whatIsLockedIsJudgedAnew() {
        db.ended("ended-", 1, "1 hour", "1 minute", "succeeded");
        db.ended("live-", 1, "1 hour", "1 minute", "succeeded");
        db.execute("update sweep.task_key set until_finished = true where key = 'ended-1'");
        String delete = new MaintenanceStatements(db.store.database()).deleteEndedKeys();
        String[] both = {"ended-1", "live-1"};
        db.store.database().inTransaction(Limits.OF_ROWS, sql -> sql.execute(delete, (Object) both));
        assertThat(db.query("select key from sweep.task_key")).containsExactly("live-1");
    }

    @Test
    void enqueuesThatTakeKeysOverRaceWithThePurgeAndLoseNone() throws Exception {
        db.ended("k-", 20, "1 hour", "1 minute", "succeeded");
        db.execute("update sweep.task_key set until_finished = true");
        ExecutorService purge = Executors.newSingleThreadExecutor();
        try {
            Future<?> runs = purge.submit(() -> {
                while (!Thread.currentThread().isInterrupted()) {
                    db.run(PURGER);
                }
            });
            for (int n = 1; n <= 20; n++) {
                assertThat(db.sweep
                                .enqueue(TaskType.json("some.type")
                                        .with(Json.of("{}"))
                                        .dedupKey("k-" + n))
                                .isNew())
                        .isTrue();
            }
            assertThat(runs.isDone()).isFalse();
        } finally {
            purge.shutdownNow();
        }
        until("the purge has ended", purge::isTerminated);
        assertThat(db.count("sweep.task_key k join sweep.task_ready r on r.id = k.id"))
                .isEqualTo(20);
    }

    @Test
    void theWalkGoesOnFromTheKeyThatItReached() {
        db.execute("insert into sweep.task_key (key, id) select 'k' || to_char(n, 'FM00000'), 42"
                + " from generate_series(1, 4500) n");
        ChoreResult first = db.run(PURGER, Optional.empty(), () -> true);
        assertThat(first).isEqualTo(ChoreResult.more(2_000).at("k02000"));
        ChoreResult second = db.run(PURGER, first.position(), () -> true);
        assertThat(second).isEqualTo(ChoreResult.more(2_000).at("k04000"));
        assertThat(db.run(PURGER, second.position())).isEqualTo(ChoreResult.done(500));
    }
}
