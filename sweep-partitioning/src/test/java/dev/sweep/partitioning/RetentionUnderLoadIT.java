package dev.sweep.partitioning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.TaskType;
import dev.sweep.worker.Worker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Weeks go while producers enqueue and a worker works, and two processes want to take them away. */
class RetentionUnderLoadIT {

    private static final TaskType<String> NOTE = TaskType.of("note", String.class);

    @Test
    @Timeout(120)
    void noTaskIsLostAndNobodySeesAnErrorWhileWeeksGo() throws Exception {
        Instant since = Instant.parse("2020-12-31T12:00:00Z");
        AtomicInteger runs = new AtomicInteger();
        AtomicInteger enqueued = new AtomicInteger();
        AtomicBoolean isOver = new AtomicBoolean();
        CountDownLatch underWay = new CountDownLatch(100);
        ExecutorService threads = Executors.newCachedThreadPool();
        try (OldWeeks weeks = new OldWeeks(Installation.fresh(), since)) {
            for (int i = 0; i < 50; i++) {
                weeks.succeeded(since.plusSeconds(i), "key " + i);
            }
            Worker worker = Worker.builder(weeks.database.sweep)
                    .queue("default", 4)
                    .handle(NOTE, (note, context) -> {
                        runs.incrementAndGet();
                        underWay.countDown();
                    })
                    .build();
            worker.start();
            List<Future<?>> producers = new ArrayList<>();
            for (int p = 0; p < 2; p++) {
                producers.add(threads.submit(() -> {
                    while (!isOver.get()) {
                        int n = enqueued.incrementAndGet();
                        assertThat(weeks.database
                                        .sweep
                                        .enqueue(NOTE.with("n").dedupKey("new " + n))
                                        .isNew())
                                .isTrue();
                    }
                }));
            }
            assertThat(underWay.await(60, TimeUnit.SECONDS)).isTrue();

            Future<RetentionReport> other =
                    threads.submit(() -> weeks.retention().build().run());
            weeks.retention().build().run();
            other.get();
            RetentionReport last = weeks.retention().build().run();

            isOver.set(true);
            for (Future<?> producer : producers) {
                producer.get();
            }
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (weeks.counted("succeeded") < enqueued.get() && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            worker.close();
            assertThat(last.staying()).isEmpty();
            assertThat(weeks.tablesOf("2020w53")).isZero();
            assertThat(runs).hasValue(enqueued.get());
            assertThat(weeks.counted("succeeded")).isEqualTo(enqueued.get());
            assertThat(weeks.database.count("sweep.task_key where key like 'key%'"))
                    .isZero();
        } finally {
            isOver.set(true);
            threads.shutdownNow();
        }
    }
}
