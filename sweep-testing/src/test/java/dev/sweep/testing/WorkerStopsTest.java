package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.SchemaException;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import dev.sweep.event.TaskEvent;
import dev.sweep.spi.TaskStore;
import dev.sweep.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WorkerStopsTest extends WorkerSetting {

    @Test
    void tasksThatHaveNotStartedAreHandedBackAsTheyWere() throws Exception {
        enqueue(A, 10);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Worker worker = start(builder().queue("default", 1).bufferLimit(100).handle(A, (payload, context) -> {
            if (context.fencingNumber() > 1) {
                started.countDown();
                await(release);
            }
        }));
        await(started);
        assertThat(worker.health().load().buffered()).isPositive();

        CompletableFuture<Void> closing = CompletableFuture.runAsync(worker::close);
        // The stop waits for the running one; all others are free for other workers meanwhile.
        awaitCount(TaskStatus.PENDING, 8);
        assertThat(closing).isNotDone();
        release.countDown();
        closing.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);

        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(2);
        assertThat(count(TaskStatus.PENDING)).isEqualTo(8);
        assertThat(sweep.list(TaskQuery.newest().status(TaskStatus.PENDING))).allSatisfy(task -> {
            assertThat(task.retryCount()).isZero();
            assertThat(task.losses()).isZero();
        });
        assertThat(await(TaskEvent.WorkerStopped.class).abandoned()).isZero();
    }

    @Test
    void aStopWaitsForWhatRunsAndRecordsIt() throws Exception {
        TaskId id = enqueue(A);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Worker worker = start(builder().handle(A, (payload, context) -> {
            started.countDown();
            await(release);
        }));
        await(started);

        CompletableFuture<Void> closing = CompletableFuture.runAsync(worker::close);
        assertThat(closing).isNotDone();
        release.countDown();
        closing.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);

        assertThat(task(id).status()).isEqualTo(TaskStatus.SUCCEEDED);
    }

    @Test
    void theHeartbeatGoesOnUntilTheLastOutcomeIsDurable() throws Exception {
        enqueue(A);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch beatsWhileStopping = new CountDownLatch(3);
        AtomicBoolean isStopping = new AtomicBoolean();
        TaskStore watched = InterceptedStore.of(store, (method, arguments) -> {
            if (method.equals("heartbeat") && isStopping.get()) {
                beatsWhileStopping.countDown();
            }
        });
        Worker worker = start(builder(watched)
                .leaseDuration(Duration.ofMillis(200))
                .heartbeat(Duration.ofMillis(10))
                .handle(A, (payload, context) -> {
                    started.countDown();
                    await(release);
                }));
        await(started);

        CompletableFuture<Void> closing = CompletableFuture.runAsync(worker::close);
        isStopping.set(true);
        await(beatsWhileStopping);
        release.countDown();
        closing.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);

        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(1);
        assertThat(events.all(TaskEvent.AttemptInterrupted.class)).isEmpty();
    }

    @Test
    void anAttemptOverTheTimeoutIsInterruptedAndItsTaskGoesBackAtNoCost() throws Exception {
        TaskId id = enqueue(A);
        CountDownLatch started = new CountDownLatch(1);
        Worker worker = start(builder().stopTimeout(Duration.ofMillis(50)).handle(A, (payload, context) -> {
            started.countDown();
            await(new CountDownLatch(1));
        }));
        await(started);

        worker.close();

        assertThat(task(id).status()).isEqualTo(TaskStatus.PENDING);
        assertThat(task(id).retryCount()).isZero();
        assertThat(task(id).error()).isEmpty();
        TaskEvent.WorkerStopped stopped = await(TaskEvent.WorkerStopped.class);
        assertThat(stopped.released()).isEqualTo(1);
        assertThat(stopped.abandoned()).isZero();
    }

    @Test
    void aHandlerThatIgnoresInterruptsDoesNotHoldTheStop() throws Exception {
        TaskId id = enqueue(A);
        CountDownLatch started = new CountDownLatch(1);
        AtomicBoolean mayEnd = new AtomicBoolean();
        Worker worker = start(builder().stopTimeout(Duration.ofMillis(50)).handle(A, (payload, context) -> {
            started.countDown();
            while (!mayEnd.get()) {
                Thread.onSpinWait();
            }
        }));
        await(started);

        worker.close();

        assertThat(await(TaskEvent.WorkerStopped.class).abandoned()).isEqualTo(1);
        assertThat(task(id).status()).isEqualTo(TaskStatus.PROCESSING);
        mayEnd.set(true);
    }

    @Test
    void aStoreThatHangsDoesNotHoldTheStop() throws Exception {
        enqueue(A, 3);
        CountDownLatch hanging = new CountDownLatch(4);
        CountDownLatch release = new CountDownLatch(1);
        AtomicBoolean hangs = new AtomicBoolean();
        TaskStore swallowed = InterceptedStore.of(store, (method, arguments) -> {
            if (hangs.get()) {
                hanging.countDown();
                awaitUninterruptibly(release);
            }
        });
        Worker worker = start(builder(swallowed)
                .stopTimeout(Duration.ofMillis(50))
                .leaseDuration(Duration.ofMillis(500))
                .heartbeat(Duration.ofMillis(5))
                .reclaimInterval(Duration.ofMillis(5))
                .handle(A, (payload, context) -> hangs.set(true)));
        // A claim, a heartbeat, a reclaim and a completion are under way and get no answer.
        await(hanging);

        worker.close();

        assertThat(await(TaskEvent.WorkerStopped.class)).isNotNull();
        hangs.set(false);
        release.countDown();
    }

    @Test
    void closeMayBeCalledTwiceAndBeforeTheStart() {
        Worker worker = builder().handle(A, (payload, context) -> {}).build();

        worker.close();
        worker.close();

        assertThat(worker.health().downReasons()).containsExactly("it was closed");
        assertThatThrownBy(worker::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed before")
                .hasMessageContaining("build a new one");
    }

    @Test
    void closeByAHandlerReturnsAtOnceAndTheHandlerEndsWell() throws Exception {
        TaskId id = enqueue(A);
        AtomicReference<Worker> self = new AtomicReference<>();
        Worker worker =
                builder().handle(A, (payload, context) -> self.get().close()).build();
        self.set(worker);
        worker.start();

        await(TaskEvent.WorkerStopped.class);
        worker.close();

        assertThat(task(id).status()).isEqualTo(TaskStatus.SUCCEEDED);
    }

    @Test
    void aWorkerStartsOnce() {
        Worker worker = start(builder().handle(A, (payload, context) -> {}));

        assertThatThrownBy(worker::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("started before");
    }

    @Test
    void aStoreThatCannotBeWorkedWithStopsTheStartAndNothingElse() {
        AtomicBoolean isMigrated = new AtomicBoolean();
        TaskStore unmigrated = InterceptedStore.of(store, (method, arguments) -> {
            if (method.equals("verify") && !isMigrated.get()) {
                throw new SchemaException("there is no schema; run `sweep migrate`");
            }
        });
        Worker worker = builder(unmigrated).handle(A, (payload, context) -> {}).build();

        assertThatThrownBy(worker::start).isInstanceOf(SchemaException.class).hasMessageContaining("sweep migrate");
        assertThat(threadsOf(worker)).isEmpty();
        isMigrated.set(true);
        worker.start();
        assertThat(worker.health().isUp()).isTrue();
        worker.close();
    }

    @Test
    void noThreadIsLeftAfterClose() throws InterruptedException {
        enqueue(A, 50);
        Worker worker = start(builder().queue("default", 8).handle(A, (payload, context) -> {}));
        assertThat(worker.awaitIdle(DEADLINE)).isTrue();
        assertThat(threadsOf(worker)).isNotEmpty();

        worker.close();

        assertThat(threadsOf(worker)).isEmpty();
    }

    /** Platform threads only; the handlers' virtual ones, where there are some, end before these. */
    private static List<String> threadsOf(Worker worker) {
        List<String> names = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().endsWith(worker.name()) && !thread.getName().startsWith("sweep-stop-")) {
                names.add(thread.getName());
            }
        }
        return names;
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean isDone = false;
        while (!isDone) {
            try {
                isDone = latch.await(1, TimeUnit.SECONDS);
            } catch (InterruptedException ignored) {
                // A socket read does not feel an interrupt either.
                isDone = false;
            }
        }
    }
}
