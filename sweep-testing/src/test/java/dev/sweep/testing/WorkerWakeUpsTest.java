package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.StoreUnavailableException;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.event.TaskEvent;
import dev.sweep.spi.Listening;
import dev.sweep.spi.TaskStore;
import dev.sweep.spi.WakeUp;
import dev.sweep.spi.WakingStore;
import dev.sweep.worker.LoopHealth;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import dev.sweep.worker.WorkerHealth;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** With a poll so rare that only a wake-up can explain what happens. */
class WorkerWakeUpsTest extends WorkerSetting {

    private static final Duration NEVER = Duration.ofHours(1);

    @Test
    void aTaskThatIsEnqueuedWhileTheWorkerIsIdleStartsAtOnce() throws InterruptedException {
        idle(rarely(builder()).handle(A, (payload, context) -> {}));
        for (int i = 1; i <= 20; i++) {
            enqueue(A);
            awaitCount(TaskStatus.SUCCEEDED, i);
        }
    }

    @Test
    void aHintThatComesWhileAllSlotsAreBusyIsActedOnWhenOneIsFree() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        idle(rarely(builder()).queue("default", 1).bufferLimit(0).handle(A, (payload, context) -> {
            started.countDown();
            await(end);
        }));
        enqueue(A);
        await(started);
        enqueue(A, 3);
        end.countDown();
        awaitCount(TaskStatus.SUCCEEDED, 4);
    }

    @Test
    void whatAStoppingWorkerHandsBackWakesAnother() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Worker stopping = idle(rarely(builder())
                .queue("default", 1)
                .handle(A, (payload, context) -> {})
                .handle(B, (payload, context) -> await(end)));
        // Quick ones make it claim ahead.
        enqueue(A, 3);
        awaitCount(TaskStatus.SUCCEEDED, 3);
        sweep.enqueueAll(Collections.nCopies(10, B.with(EMPTY)));
        await("some wait there", () -> stopping.health().load().buffered() > 0);
        Worker next = idle(rarely(builder()).queue("default", 1).handle(B, (payload, context) -> {}));
        assertThat(count(TaskStatus.SUCCEEDED)).as("what was not claimed").isLessThan(12);

        Thread stopper = new Thread(stopping::close);
        stopper.start();
        awaitCount(TaskStatus.SUCCEEDED, 12);
        end.countDown();
        awaitCount(TaskStatus.SUCCEEDED, 13);
        stopper.join(DEADLINE.toMillis());
        assertThat(next.health().isUp()).isTrue();
    }

    @Test
    void aResumedQueueIsWorkedOnAtOnce() throws InterruptedException {
        sweep.pauseQueue("default");
        enqueue(A, 3);
        idle(rarely(builder()).handle(A, (payload, context) -> {}));
        sweep.resumeQueue("default");
        awaitCount(TaskStatus.SUCCEEDED, 3);
    }

    @Test
    void aCancelledAttemptIsInterruptedLongBeforeTheNextHeartbeat() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        idle(rarely(builder())
                .leaseDuration(Duration.ofHours(3))
                .heartbeat(NEVER)
                .handle(A, (payload, context) -> {
                    started.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException told) {
                        interrupted.countDown();
                        throw told;
                    }
                }));
        TaskId id = enqueue(A);
        await(started);
        sweep.cancel(id);
        await(interrupted);
        assertThat(task(id).status()).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    void aLostListenerListensAnewAndFindsWhatWasEnqueuedInTheGap() throws InterruptedException {
        AtomicInteger opened = new AtomicInteger();
        CountDownLatch isLost = new CountDownLatch(1);
        TaskStore lossy = withEars(ear -> switch (opened.getAndIncrement()) {
            case 0 -> new LostEar(ear, isLost);
            case 1, 2, 3 -> throw new StoreUnavailableException("connection refused");
            default -> ear;
        });
        Worker worker = idle(rarely(builder(lossy)).handle(A, (payload, context) -> {}));
        assertThat(worker.health().wakeUps()).isEqualTo(WorkerHealth.WakeUps.ARRIVING);

        isLost.countDown();
        // Nobody hears this one.
        store.enqueue(List.of(ContractPart.record(A.with(EMPTY))));
        awaitCount(TaskStatus.SUCCEEDED, 1);
        await(TaskEvent.LoopRecovered.class);
        assertThat(events.all(TaskEvent.LoopFailed.class))
                .extracting(TaskEvent.LoopFailed::loop)
                .containsExactly("listener");
        assertThat(opened).hasValue(5);
        await("wake-ups arrive", () -> worker.health().wakeUps() == WorkerHealth.WakeUps.ARRIVING);
        enqueue(A);
        awaitCount(TaskStatus.SUCCEEDED, 2);
    }

    @Test
    void aDeafListenerIsToldOnceAndPollingCarriesOn() throws InterruptedException {
        AtomicInteger tests = new AtomicInteger();
        TaskStore deaf = withEars(ear -> new DeafEar(ear, tests));
        Worker worker = start(builder(deaf).handle(A, (payload, context) -> {}));
        assertThat(await(TaskEvent.LoopFailed.class).cause()).hasMessage("a wall is in between");
        enqueue(A, 3);
        assertThat(worker.awaitIdle(DEADLINE)).isTrue();
        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(3);

        WorkerHealth health = worker.health();
        assertThat(health.wakeUps()).isEqualTo(WorkerHealth.WakeUps.NOT_ARRIVING);
        assertThat(health.isUp()).isTrue();
        assertThat(health.loops())
                .filteredOn(loop -> loop.name().equals("listener"))
                .extracting(LoopHealth::fault)
                .allSatisfy(fault -> assertThat(fault.orElseThrow()).contains("a wall is in between"))
                .hasSize(1);
        assertThat(tests).hasValue(1);
        assertThat(events.all(TaskEvent.LoopFailed.class)).hasSize(1);
    }

    @Test
    void withoutWakeUpsTheWorkerPolls() throws InterruptedException {
        TaskStore silent = InterceptedStore.of(store, (method, arguments) -> {});
        Worker worker = start(builder(silent).handle(A, (payload, context) -> {}));
        await("it knows", () -> worker.health().wakeUps() == WorkerHealth.WakeUps.OFF);
        enqueue(A, 3);
        awaitCount(TaskStatus.SUCCEEDED, 3);
        assertThat(worker.health().isUp()).isTrue();
    }

    @Test
    void anEndedWorkerListensNoMoreAndTellsOfNoFault() throws InterruptedException {
        Worker worker = idle(rarely(builder()).handle(A, (payload, context) -> {}));
        worker.close();
        assertThat(events.all(TaskEvent.LoopFailed.class)).isEmpty();
        assertThat(store)
                .extracting("wakeUps.ears")
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .isEmpty();
    }

    private static WorkerBuilder rarely(WorkerBuilder builder) {
        return builder.pollInterval(NEVER, NEVER);
    }

    /** Started, listening, and done with the looks that follow. */
    private Worker idle(WorkerBuilder builder) throws InterruptedException {
        Worker worker = idleOn(builder);
        assertThat(worker.awaitIdle(DEADLINE)).isTrue();
        return worker;
    }

    private Worker idleOn(WorkerBuilder builder) {
        Worker worker = start(builder);
        await("wake-ups arrive", () -> worker.health().wakeUps() == WorkerHealth.WakeUps.ARRIVING);
        return worker;
    }

    /** The store in memory, listened to by other ears. */
    private TaskStore withEars(Function<Listening, Listening> other) {
        return (TaskStore) Proxy.newProxyInstance(
                WorkerWakeUpsTest.class.getClassLoader(),
                new Class<?>[] {TaskStore.class, WakingStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("listen")) {
                        return store.listen().map(other);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    /** Fails once it is lost. */
    private record LostEar(Listening ear, CountDownLatch isLost) implements Listening {

        @Override
        public Set<WakeUp> await(Duration atMost) {
            if (isLost.getCount() == 0) {
                throw new StoreUnavailableException("connection reset");
            }
            return ear.await(Duration.ofMillis(5));
        }

        @Override
        public Optional<String> selfTest(Duration atMost) {
            return ear.selfTest(atMost);
        }

        @Override
        public void close() {
            ear.close();
        }
    }

    private record DeafEar(Listening ear, AtomicInteger tests) implements Listening {

        @Override
        public Set<WakeUp> await(Duration atMost) {
            throw new AssertionError("nobody listens to it");
        }

        @Override
        public Optional<String> selfTest(Duration atMost) {
            tests.incrementAndGet();
            return Optional.of("a wall is in between");
        }

        @Override
        public void close() {
            ear.close();
        }
    }
}
