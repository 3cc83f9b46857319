package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.Sweep;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.testing.PostgresServer;
import dev.sweep.worker.Worker;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A transaction of a user's that stays open over a task under way, such as a cancel that is not committed. */
class ContendedOutcomeIT {

    private static final TaskType<Json> HELD = TaskType.json("held");
    private static final TaskType<Json> OTHER = TaskType.json("other");

    @Test
    @Timeout(60)
    void keepsNoOtherOutcomeBackAndIsRecordedInTheEnd() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (ScratchDatabase database = ScratchDatabase.create(PostgresServer.shared(), "contended");
                Sweep sweep = Sweep.create(
                        JooqTaskStore.builder(database.dataSource()).build())) {
            sweep.migrate();
            try (Connection user = database.dataSource().getConnection();
                    Statement statement = user.createStatement();
                    Worker worker = Worker.builder(sweep)
                            .queue("default", 4)
                            .handle(OTHER, (payload, context) -> {})
                            .handle(HELD, (payload, context) -> {
                                started.countDown();
                                mayEnd.await();
                            })
                            .build()) {
                worker.start();
                TaskId held = sweep.enqueue(HELD.with(Json.of("{}"))).id();
                started.await();
                user.setAutoCommit(false);
                statement.execute("select sweep.cancel_task(" + held + ")");
                mayEnd.countDown();
                sweep.enqueueAll(Collections.nCopies(500, OTHER.with(Json.of("{}"))));

                awaitSucceeded(sweep, 500);
                assertThat(sweep.find(held).orElseThrow().status()).isEqualTo(TaskStatus.PROCESSING);
                assertThat(worker.health().downReasons()).isEmpty();
                user.rollback();

                awaitSucceeded(sweep, 501);
                assertThat(worker.awaitIdle(Duration.ofSeconds(20))).isTrue();
                assertThat(worker.health().load().refused()).isZero();
            }
        }
    }

    private static void awaitSucceeded(Sweep sweep, long tasks) {
        long deadline = System.nanoTime() + Duration.ofSeconds(15).toNanos();
        long succeeded = 0;
        while (succeeded < tasks && System.nanoTime() < deadline) {
            succeeded = sweep.counts().stream()
                    .filter(count -> count.status() == TaskStatus.SUCCEEDED)
                    .mapToLong(count -> count.count())
                    .sum();
        }
        assertThat(succeeded).isEqualTo(tasks);
    }
}
