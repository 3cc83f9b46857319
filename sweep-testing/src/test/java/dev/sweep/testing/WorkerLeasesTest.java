package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.StoreUnavailableException;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TransactionConflictException;
import dev.sweep.event.TaskEvent;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.TaskStore;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** On settable time: the store's leases lapse when the test says so. */
class WorkerLeasesTest extends WorkerSetting {

    @Test
    void theLateOutcomeOfAReclaimedAttemptIsRefused() throws Exception {
        TaskId id = enqueue(A);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        Worker frozen = start(frozen().handle(A, (payload, context) -> {
            started.countDown();
            awaitUninterruptibly(release);
            runs.incrementAndGet();
            throw new IllegalStateException("must not be recorded");
        }));
        await(started);
        time.advance(Duration.ofSeconds(31));
        store.reclaim(Duration.ofSeconds(30), 100);
        assertThat(task(id).losses()).isEqualTo(1);

        CountDownLatch startedAgain = new CountDownLatch(1);
        CountDownLatch releaseAgain = new CountDownLatch(1);
        Worker second = start(builder().handle(A, (payload, context) -> {
            startedAgain.countDown();
            await(releaseAgain);
            runs.incrementAndGet();
        }));
        await(startedAgain);
        release.countDown();
        TaskEvent.OutcomeRefused refused = await(TaskEvent.OutcomeRefused.class);

        assertThat(refused.id()).isEqualTo(id);
        assertThat(refused.worker()).isEqualTo(frozen.name());
        assertThat(frozen.health().load().refused()).isEqualTo(1);
        assertThat(task(id).status()).isEqualTo(TaskStatus.PROCESSING);
        assertThat(task(id).error())
                .get()
                .asString()
                .contains("worker was lost")
                .doesNotContain("must not be recorded");
        releaseAgain.countDown();
        assertThat(second.awaitIdle(DEADLINE)).isTrue();
        assertThat(task(id).status()).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(runs).hasValue(2);
    }

    @Test
    void theHandlerOfACancelledTaskIsInterruptedAndItsOutcomeRefused() throws Exception {
        TaskId id = enqueue(A);
        CountDownLatch started = new CountDownLatch(1);
        AtomicBoolean isInterrupted = new AtomicBoolean();
        Worker worker = start(builder().heartbeat(Duration.ofMillis(10)).handle(A, (payload, context) -> {
            started.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException told) {
                isInterrupted.set(true);
                throw told;
            }
        }));
        await(started);

        assertThat(sweep.cancel(id)).contains(TaskStatus.CANCELLED);

        assertThat(await(TaskEvent.AttemptInterrupted.class).run().id()).isEqualTo(id);
        assertThat(await(TaskEvent.OutcomeRefused.class).id()).isEqualTo(id);
        assertThat(worker.awaitIdle(DEADLINE)).isTrue();
        assertThat(isInterrupted).isTrue();
        assertThat(task(id).status()).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    void anAttemptIsInterruptedWhenNoHeartbeatHasConfirmedItsLeaseInTime() throws Exception {
        enqueue(A);
        TaskStore deaf = InterceptedStore.of(store, (method, arguments) -> {
            if (method.equals("heartbeat")) {
                throw new StoreUnavailableException("no heartbeat gets through");
            }
        });
        CountDownLatch interrupted = new CountDownLatch(1);
        start(builder(deaf)
                .leaseDuration(Duration.ofMillis(200))
                .heartbeat(Duration.ofMillis(50))
                .handle(A, (payload, context) -> {
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        interrupted.countDown();
                    }
                }));

        await(interrupted);
        assertThat(await(TaskEvent.AttemptInterrupted.class).run().type()).isEqualTo("a");
    }

    /** An outage longer than a lease must not use up the retries of what happened to run. */
    @Test
    void anAttemptThatWasInterruptedForItsLeaseHasNotFailed() throws Exception {
        TaskId id = sweep.enqueue(A.with(EMPTY).maxRetries(0)).id();
        AtomicBoolean isOutage = new AtomicBoolean(true);
        AtomicInteger beats = new AtomicInteger();
        TaskStore store = InterceptedStore.of(this.store, (method, arguments) -> {
            if (method.equals("heartbeat")) {
                beats.incrementAndGet();
                if (isOutage.get()) {
                    throw new StoreUnavailableException("no heartbeat gets through");
                }
            }
        });
        Worker worker = start(builder(store)
                .leaseDuration(Duration.ofMillis(200))
                .heartbeat(Duration.ofMillis(50))
                .handle(A, (payload, context) -> {
                    if (isOutage.get()) {
                        try {
                            new CountDownLatch(1).await();
                        } finally {
                            isOutage.set(false);
                        }
                    }
                }));

        assertThat(await(TaskEvent.OutcomeRefused.class).id()).isEqualTo(id);
        // Time stands still here but for this test, so a beat that still named the lease would keep it for ever.
        await("a worker that holds nothing", () -> worker.health().leaseMargin().isEmpty());
        int seen = beats.get();
        await("two more beats", () -> beats.get() >= seen + 2);
        time.advance(Duration.ofSeconds(1));
        awaitCount(TaskStatus.SUCCEEDED, 1);
        assertThat(worker.awaitIdle(DEADLINE)).isTrue();
        assertThat(task(id).retryCount()).isZero();
        assertThat(task(id).losses()).isEqualTo(1);
    }

    @Test
    void tasksThatWaitTooLongForASlotAreHandedBack() throws Exception {
        enqueue(A, 6);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Worker worker = start(builder()
                .queue("default", 1)
                .heartbeat(Duration.ofMillis(50))
                .handle(A, (payload, context) -> {
                    if (context.fencingNumber() > 1) {
                        started.countDown();
                        await(release);
                    }
                }));
        await(started);
        assertThat(count(TaskStatus.PROCESSING)).isPositive();

        awaitCount(TaskStatus.PENDING, 4);
        release.countDown();

        assertThat(worker.awaitIdle(DEADLINE)).isTrue();
        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(6);
    }

    @Test
    void tasksThatWereLostBeforeRunOneAtATime() throws Exception {
        List<TaskId> lost = enqueueLost(20);
        enqueue(B, 200);
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();

        drain(builder().queue("default", 4).handle(B, (payload, context) -> {}).handle(A, (payload, context) -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            now.decrementAndGet();
        }));

        TaskEvent.TasksReclaimed reclaimed = await(TaskEvent.TasksReclaimed.class);
        assertThat(reclaimed.returned()).containsExactlyInAnyOrderElementsOf(lost);
        assertThat(most).hasValue(1);
        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(220);
        assertThat(lost).allSatisfy(id -> assertThat(task(id).losses()).isEqualTo(1));
    }

    /** The next one may take the process down, and would cost it a loss that is not its own. */
    @Test
    void noOtherLostTaskIsClaimedBeforeTheOutcomeOfTheLastIsRecorded() throws Exception {
        enqueueLost(3);
        Semaphore claims = new Semaphore(0);
        AtomicInteger unrecorded = new AtomicInteger();
        Queue<Integer> roomsMeanwhile = new ConcurrentLinkedQueue<>();
        TaskStore slow = InterceptedStore.of(store, (method, arguments) -> {
            if (method.equals("claim") && unrecorded.get() > 0) {
                roomsMeanwhile.add(((ClaimRequest) arguments.get(0)).lostRoom());
                claims.release();
            }
            if (method.equals("complete")) {
                claims.drainPermits();
                assertThat(claims.tryAcquire(DEADLINE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
                unrecorded.addAndGet(-((List<?>) arguments.get(0)).size());
            }
        });

        drain(builder(slow).queue("default", 4).handle(A, (payload, context) -> unrecorded.incrementAndGet()));

        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(3);
        assertThat(roomsMeanwhile).isNotEmpty().containsOnly(0);
    }

    /** Someone may leave a transaction open that has cancelled it. */
    @Test
    void aLostTaskWhoseOutcomeIsHeldUpHoldsUpNoOther() throws Exception {
        List<TaskId> lost = enqueueLost(2);
        AtomicBoolean isHeld = new AtomicBoolean(true);
        TaskStore contended = InterceptedStore.of(store, (method, arguments) -> {
            if (method.equals("complete")
                    && isHeld.get()
                    && arguments.toString().contains("id=" + lost.get(0))) {
                throw new TransactionConflictException("another transaction holds it");
            }
        });
        CountDownLatch bothRun = new CountDownLatch(2);
        Worker worker = start(builder(contended).handle(A, (payload, context) -> bothRun.countDown()));

        await(bothRun);
        isHeld.set(false);

        assertThat(worker.awaitIdle(DEADLINE)).isTrue();
        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(2);
    }

    @Test
    void oneLostTaskIsFollowedByTheNextWithoutWaitingForAPoll() throws Exception {
        enqueueLost(20);
        CountDownLatch allRun = new CountDownLatch(20);

        start(builder()
                .pollInterval(Duration.ofHours(1), Duration.ofHours(1))
                .handle(A, (payload, context) -> allRun.countDown()));

        await(allRun);
    }

    @Test
    void aLostTaskIsRunAlsoWhileTheOnlySlotIsAlwaysBusy() throws Exception {
        TaskId lost = enqueueLost(1).get(0);
        CountDownLatch isRun = new CountDownLatch(1);
        enqueue(B, 2);
        start(builder()
                .queue("default", 1)
                .handle(B, (payload, context) -> enqueue(B))
                .handle(A, (payload, context) -> isRun.countDown()));

        await(isRun);
        assertThat(lost).isNotNull();
    }

    /** New tasks of type A whose worker is gone: each has one loss once they are reclaimed. */
    private List<TaskId> enqueueLost(int count) {
        List<TaskId> ids = enqueue(A, count);
        store.claim(
                new ClaimRequest("vanished", Set.of("a"), Map.of("default", count), 0, Duration.ofSeconds(30), true));
        time.advance(Duration.ofSeconds(31));
        return ids;
    }

    /** What stands still does not heed an interrupt: else it would take the lost task itself. */
    private static void awaitUninterruptibly(CountDownLatch latch) {
        CompletableFuture.runAsync(
                        () -> {
                            try {
                                await(latch);
                            } catch (InterruptedException never) {
                                throw new IllegalStateException(never);
                            }
                        },
                        waiting -> new Thread(waiting, "waits for a latch").start())
                .join();
    }

    /** Its heartbeats and reclaims are far apart and its only slot is busy: to the store, a process that stands still. */
    private WorkerBuilder frozen() {
        return builder()
                .queue("default", 1)
                .leaseDuration(Duration.ofSeconds(30))
                .heartbeat(Duration.ofSeconds(14))
                .reclaimInterval(Duration.ofHours(1));
    }
}
