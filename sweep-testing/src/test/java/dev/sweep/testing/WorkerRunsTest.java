package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.Outcome;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent;
import dev.sweep.worker.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WorkerRunsTest extends WorkerSetting {

    @Test
    void runsAThousandTasksOfTwoQueuesOnceEach() throws InterruptedException {
        TaskType<Json> elsewhere = B.inQueue("other");
        enqueue(A, 500);
        enqueue(elsewhere, 500);
        Map<TaskId, Integer> runs = new ConcurrentHashMap<>();

        drain(builder()
                .queue("default", 4)
                .queue("other", 3)
                .handle(A, (payload, context) -> runs.merge(context.id(), 1, Integer::sum))
                .handle(elsewhere, (payload, context) -> runs.merge(context.id(), 1, Integer::sum)));

        assertThat(runs).hasSize(1_000);
        assertThat(runs.values()).containsOnly(1);
        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(1_000);
    }

    @Test
    void oneSlotStartsTasksInTheOrderOfTheirPriority() throws InterruptedException {
        for (int priority : new int[] {3, 10, 1, 7, 10}) {
            sweep.enqueue(A.with(EMPTY).priority(priority));
        }
        List<Integer> order = Collections.synchronizedList(new ArrayList<>());

        drain(builder().queue("default", 1).handle(A, (payload, context) -> order.add(context.priority())));

        assertThat(order).containsExactly(10, 10, 7, 3, 1);
    }

    @Test
    void theSlotsOfAQueueBoundHowManyAttemptsRunAtOnce() throws InterruptedException {
        enqueue(A, 200);
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();

        drain(builder().queue("default", 3).handle(A, (payload, context) -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            Thread.onSpinWait();
            now.decrementAndGet();
        }));

        assertThat(most.get()).isBetween(1, 3);
    }

    @Test
    void allSlotsOfAQueueRunAtTheSameTime() throws InterruptedException {
        enqueue(A, 4);
        CyclicBarrier together = new CyclicBarrier(4);

        drain(builder().queue("default", 4).handle(A, (payload, context) -> await(together)));

        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(4);
    }

    @Test
    void tasksOfTypesWithoutHandlerAreNotTouched() throws InterruptedException {
        List<TaskId> unknown = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            unknown.add(sweep.enqueue(B.with(EMPTY).priority(10).maxRetries(0)).id());
        }
        enqueue(A, 5);

        drain(builder().handle(A, (payload, context) -> {}));

        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(5);
        assertThat(unknown).allSatisfy(id -> {
            assertThat(task(id).status()).isEqualTo(TaskStatus.PENDING);
            assertThat(task(id).retryCount()).isZero();
            assertThat(task(id).startedAt()).isEmpty();
        });

        drain(builder().handle(B, (payload, context) -> {}));

        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(10);
    }

    @Test
    void aSnoozedTaskRunsAgainAndUsesNoRetry() throws InterruptedException {
        TaskId id = sweep.enqueue(A.with(EMPTY).maxRetries(0)).id();
        AtomicInteger runs = new AtomicInteger();

        drain(builder().handleForOutcome(A, (payload, context) -> {
            assertThat(context.attempt()).isEqualTo(1);
            return runs.incrementAndGet() < 4 ? Outcome.snooze(Duration.ZERO) : Outcome.complete();
        }));

        assertThat(runs).hasValue(4);
        assertThat(task(id).status()).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(task(id).retryCount()).isZero();
    }

    @Test
    void anUnreadablePayloadFailsOnlyItsOwnTask() throws InterruptedException {
        record Mail(long userId) {}
        TaskType<Json> raw = TaskType.json("mail").maxRetries(2);
        List<TaskId> healthy = new ArrayList<>();
        List<TaskId> broken = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            healthy.add(sweep.enqueue(raw.with(Json.of("{\"userId\":1}"))).id());
            healthy.add(sweep.enqueue(raw.with(Json.of("{\"userId\":2,\"more\":true}")))
                    .id());
        }
        for (String payload : List.of("{\"userId\":\"secret-x\"}", "[]", "3")) {
            broken.add(sweep.enqueue(raw.with(Json.of(payload)).priority(10)).id());
        }

        drain(builder().batch(10, 10).handle(TaskType.of("mail", Mail.class), (mail, context) -> {}));

        assertThat(healthy).allSatisfy(id -> assertThat(task(id).status()).isEqualTo(TaskStatus.SUCCEEDED));
        assertThat(broken).allSatisfy(id -> {
            assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED);
            assertThat(task(id).retryCount()).isEqualTo(2);
            assertThat(task(id).error())
                    .get()
                    .asString()
                    .contains("the stored payload")
                    .doesNotContain("secret-x");
        });
        assertThat(task(broken.get(0)).error()).get().asString().contains("userId");
    }

    @Test
    void whatAHandlerLeavesOnItsThreadDoesNotReachTheNextTask() throws InterruptedException {
        enqueue(A, 2);
        List<String> seen = Collections.synchronizedList(new ArrayList<>());

        drain(builder().queue("default", 1).handle(A, (payload, context) -> {
            Thread thread = Thread.currentThread();
            seen.add(thread.isInterrupted() + " " + thread.getName().startsWith("sweep-default-1-") + " "
                    + (thread.getContextClassLoader() == null));
            thread.interrupt();
            thread.setName("renamed");
            thread.setContextClassLoader(null);
        }));

        assertThat(seen).containsExactly("false true false", "false true false");
        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(2);
    }

    @Test
    void handlersRunOnVirtualThreadsWhereTheJvmHasThem() throws Exception {
        enqueue(A);
        AtomicReference<Thread> handlerThread = new AtomicReference<>();

        drain(builder().handle(A, (payload, context) -> handlerThread.set(Thread.currentThread())));

        if (Runtime.version().feature() >= 21) {
            assertThat(Thread.class.getMethod("isVirtual").invoke(handlerThread.get()))
                    .isEqualTo(true);
        }
        assertThat(handlerThread.get().isDaemon()).isTrue();
    }

    @Test
    void aListenerThatThrowsHarmsNeitherTheEngineNorTheOtherListeners() throws InterruptedException {
        enqueue(A, 20);

        drain(Worker.builder(sweep)
                .listener(event -> {
                    throw new AssertionError("a broken listener");
                })
                .listener(events)
                .handle(A, (payload, context) -> {}));

        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(20);
        assertThat(events.all(TaskEvent.AttemptSucceeded.class)).hasSize(20);
    }

    @Test
    void tellsWhatItDoes() throws InterruptedException {
        TaskId id = enqueue(A);
        Worker worker = start(builder().name("host-1").queue("default", 1).handle(A, (payload, context) -> {}));

        TaskEvent.WorkerStarted started = await(TaskEvent.WorkerStarted.class);
        assertThat(started.queues()).containsExactly("default");
        assertThat(started.types()).containsExactly("a");
        assertThat(started.worker()).startsWith("host-1-").isEqualTo(worker.name());
        assertThat(await(TaskEvent.TasksClaimed.class).count()).isEqualTo(1);
        assertThat(await(TaskEvent.AttemptStarted.class).run()).isEqualTo(new TaskEvent.Run(id, "a", "default", 1));
        assertThat(await(TaskEvent.AttemptSucceeded.class).run().id()).isEqualTo(id);
        assertThat(await(TaskEvent.OutcomesRecorded.class).count()).isEqualTo(1);
        worker.close();
        assertThat(await(TaskEvent.WorkerStopped.class)).isEqualTo(new TaskEvent.WorkerStopped(worker.name(), 0, 0));
    }

    @Test
    void awaitIdleDoesNotCountAsIdleWhatStillRuns() throws InterruptedException {
        enqueue(A);
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Worker worker = start(builder().handle(A, (payload, context) -> {
            started.countDown();
            await(release);
        }));
        await(started);

        assertThat(worker.awaitIdle(Duration.ofMillis(100))).isFalse();
        assertThat(worker.health().load().running()).isEqualTo(1);
        assertThat(worker.health().leaseMargin()).isPresent();

        release.countDown();
        assertThat(worker.awaitIdle(DEADLINE)).isTrue();
        assertThat(worker.health().load().running()).isZero();
        assertThat(worker.health().leaseMargin()).isEmpty();
        assertThat(worker.health().isUp()).isTrue();
    }

    @Test
    void tasksThatAHandlerEnqueuesAreRunToo() throws InterruptedException {
        sweep.enqueue(A.with(Json.of("5")));

        drain(builder().handle(A, (payload, context) -> {
            int left = Integer.parseInt(payload.text());
            if (left > 0) {
                sweep.enqueue(A.with(Json.of(Integer.toString(left - 1))));
            }
        }));

        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(6);
    }
}
