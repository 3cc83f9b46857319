package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.InvalidPayloadException;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.NoRetryException;
import dev.sweep.Outcome;
import dev.sweep.RetryAfterException;
import dev.sweep.RetryPolicy;
import dev.sweep.Sweep;
import dev.sweep.Task;
import dev.sweep.TaskBatch;
import dev.sweep.TaskContext;
import dev.sweep.TaskId;
import dev.sweep.TaskInterceptor;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What handlers may say and be told, type by type. */
class WorkerHandlersTest extends WorkerSetting {

    record Receipt(String number, BigDecimal amount) {}

    @Nested
    class Outcomes {

        @Test
        void aResultIsKeptAndCanBeReadBack() throws InterruptedException {
            TaskId withResult = enqueue(A);
            TaskId without = enqueue(B);
            Receipt receipt = new Receipt("42", new BigDecimal("1.10"));

            drain(builder()
                    .handleForOutcome(A, (payload, context) -> Outcome.complete(receipt))
                    .handle(B, (payload, context) -> {}));

            assertThat(sweep.result(withResult, Receipt.class)).contains(receipt);
            assertThat(task(withResult).result()).contains("{\"number\":\"42\",\"amount\":1.10}");
            assertThat(sweep.result(without, Receipt.class)).isEmpty();
            assertThatThrownBy(() -> sweep.result(withResult, Integer.class))
                    .isInstanceOf(InvalidPayloadException.class);
        }

        @Test
        void aResultThatCanNotBeStoredFailsTheAttemptAndSaysWhy() throws InterruptedException {
            TaskId id = sweep.enqueue(A.with(EMPTY).maxRetries(1)).id();

            drain(builder().handleForOutcome(A, (payload, context) -> Outcome.complete(Map.of("text", "a\u0000b"))));

            assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED);
            assertThat(task(id).retryCount()).isEqualTo(1);
            assertThat(task(id).error()).get().asString().contains("the result of a task of type a", "NUL");
        }

        @Test
        void aHandlerCanCancelItsTask() throws InterruptedException {
            TaskId id = enqueue(A);

            drain(builder().handleForOutcome(A, (payload, context) -> Outcome.cancel("nobody waits for it")));

            Task task = task(id);
            assertThat(task.status()).isEqualTo(TaskStatus.CANCELLED);
            assertThat(task.error()).contains("nobody waits for it");
            assertThat(task.retryCount()).isZero();
            assertThat(events.all(TaskEvent.AttemptCancelled.class)).hasSize(1);
            assertThat(events.all(TaskEvent.TaskFailed.class)).isEmpty();
        }

        @Test
        void retriesAndSnoozesCanNameAMoment() throws InterruptedException {
            Instant tomorrow = time.instant().plus(Duration.ofDays(1));
            TaskId retried = enqueue(A);
            TaskId snoozed = enqueue(B);

            drain(builder()
                    .handleForOutcome(A, (payload, context) -> Outcome.retryAt(tomorrow, "closed today"))
                    .handleForOutcome(B, (payload, context) -> Outcome.snoozeUntil(tomorrow)));

            assertThat(task(retried).dueAt()).isEqualTo(tomorrow);
            assertThat(task(retried).retryCount()).isEqualTo(1);
            assertThat(task(snoozed).dueAt()).isEqualTo(tomorrow);
            assertThat(task(snoozed).retryCount()).isZero();
        }

        @Test
        void whatIsThrownCanAskForNoRetryOrForALaterOne() throws InterruptedException {
            TaskId hopeless = enqueue(A);
            TaskId busy = enqueue(B);

            drain(builder()
                    .handle(A, (payload, context) -> {
                        throw new NoRetryException("no such user");
                    })
                    .handle(B, (payload, context) -> {
                        throw new RetryAfterException(Duration.ofMinutes(5), "too many requests");
                    }));

            assertThat(task(hopeless).status()).isEqualTo(TaskStatus.FAILED);
            assertThat(task(hopeless).retryCount()).isZero();
            assertThat(task(busy).dueAt()).isEqualTo(time.instant().plus(Duration.ofMinutes(5)));
        }

        @Test
        void everyTypeHasItsOwnRetryPolicy() throws InterruptedException {
            TaskId fragile = enqueue(A);
            TaskId patient = enqueue(B);

            drain(builder()
                    .retryPolicy(A, RetryPolicy.fixed(Duration.ZERO).butNotOn(IOException.class))
                    .retryPolicy(B, RetryPolicy.fixed(Duration.ofHours(1)))
                    .handle(A, (payload, context) -> {
                        throw new IOException("gone");
                    })
                    .handle(B, (payload, context) -> {
                        throw new IOException("gone");
                    }));

            assertThat(task(fragile).status()).isEqualTo(TaskStatus.FAILED);
            assertThat(task(patient).status()).isEqualTo(TaskStatus.PENDING);
        }
    }

    @Nested
    class Timeouts {

        @Test
        void anAttemptThatRunsTooLongFailsAndItsHandlerIsInterrupted() throws InterruptedException {
            TaskId id = sweep.enqueue(A.with(EMPTY).maxRetries(1)).id();
            AtomicInteger interrupts = new AtomicInteger();

            drain(builder().timeout(A, Duration.ofMillis(20)).handle(A, (payload, context) -> {
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException told) {
                    interrupts.incrementAndGet();
                    throw told;
                }
            }));

            assertThat(interrupts).hasValue(2);
            assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED);
            assertThat(task(id).error())
                    .get()
                    .asString()
                    .contains("ran longer than its timeout of PT0.02S", "raise the timeout");
            assertThat(events.all(TaskEvent.AttemptTimedOut.class)).hasSize(2);
        }

        /** Case B41: every slot is taken by a handler that is deaf to interrupts. */
        @Test
        void handlersThatIgnoreTheirTimeoutCostNoSlotUntilThereAreAsManyAgain() throws InterruptedException {
            CountDownLatch end = new CountDownLatch(1);
            Worker worker = start(builder()
                    .queue("default", 2)
                    .timeout(A, Duration.ofMillis(20))
                    .handle(A, (payload, context) -> awaitDeafly(end))
                    .handle(B, (payload, context) -> {}));
            List<TaskId> deaf = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                deaf.add(sweep.enqueue(A.with(EMPTY).maxRetries(0)).id());
            }
            awaitCount(TaskStatus.FAILED, 2);
            enqueue(B, 10);
            awaitCount(TaskStatus.SUCCEEDED, 10);
            assertThat(worker.health().isUp()).isTrue();
            assertThat(worker.health().load().stuck()).isEqualTo(2);

            for (int i = 0; i < 2; i++) {
                deaf.add(sweep.enqueue(A.with(EMPTY).maxRetries(0)).id());
            }
            awaitCount(TaskStatus.FAILED, 4);
            await("all replacements are used up", () -> !worker.health().isUp());
            assertThat(worker.health().downReasons())
                    .anySatisfy(reason -> assertThat(reason).contains("queue 'default'", "ignore their timeout"));

            end.countDown();
            await("the worker is up again", () -> worker.health().isUp());
            enqueue(B, 10);
            awaitCount(TaskStatus.SUCCEEDED, 20);
            assertThat(deaf).allSatisfy(id -> assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED));
        }

        @Test
        void aStopDoesNotWaitForHandlersThatHaveTimedOut() throws InterruptedException {
            CountDownLatch end = new CountDownLatch(1);
            Worker worker = start(builder()
                    .queue("default", 1)
                    .stopTimeout(Duration.ofHours(1))
                    .timeout(A, Duration.ofMillis(20))
                    .handle(A, (payload, context) -> awaitDeafly(end)));
            sweep.enqueue(A.with(EMPTY).maxRetries(0));
            await(TaskEvent.AttemptTimedOut.class);
            awaitCount(TaskStatus.FAILED, 1);
            await("the slot was replaced", () -> worker.health().load().stuck() == 1);

            worker.close();

            assertThat(await(TaskEvent.WorkerStopped.class).abandoned()).isZero();
            end.countDown();
        }
    }

    @Nested
    class Concurrency {

        @Test
        void aTypeRunsNoMoreOftenAtOnceThanItsLimitAndLeavesTheSlotsToOthers() throws Exception {
            AtomicInteger running = new AtomicInteger();
            Set<Integer> seen = ConcurrentHashMap.newKeySet();
            CountDownLatch othersDone = new CountDownLatch(20);
            enqueue(A, 30);
            enqueue(B, 20);

            drain(builder()
                    .queue("default", 4)
                    .concurrency(A, 2)
                    .handle(A, (payload, context) -> {
                        seen.add(running.incrementAndGet());
                        await(othersDone);
                        running.decrementAndGet();
                    })
                    .handle(B, (payload, context) -> othersDone.countDown()));

            assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(50);
            assertThat(seen).isSubsetOf(1, 2);
        }

        @Test
        void theLimitIsUsedInFull() throws Exception {
            CyclicBarrier both = new CyclicBarrier(2);
            enqueue(A, 20);

            drain(builder().queue("default", 4).concurrency(A, 2).handle(A, (payload, context) -> await(both)));

            assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(20);
        }

        /** A claim can bring more of a type than may run: the surplus goes back for others, at no cost. */
        @Test
        void whatWouldWaitForLongGoesBackAtOnce() throws InterruptedException {
            CountDownLatch end = new CountDownLatch(1);
            enqueue(A, 8);
            Worker worker =
                    start(builder().queue("default", 8).concurrency(A, 1).handle(A, (payload, context) -> end.await()));
            await(
                    "seven wait again, and one runs",
                    () -> count(TaskStatus.PENDING) == 7
                            && count(TaskStatus.PROCESSING) == 1
                            && worker.health().load().buffered() == 0);

            end.countDown();
            awaitCount(TaskStatus.SUCCEEDED, 8);
            assertThat(sweep.list(TaskQuery.newest()))
                    .allSatisfy(task ->
                            assertThat(task.losses() + task.retryCount()).isZero());
        }
    }

    @Nested
    class Batches {

        @Test
        void waitingTasksOfATypeRunTogetherEachWithItsOwnOutcome() throws InterruptedException {
            List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
            CountDownLatch gate = new CountDownLatch(1);
            TaskId first = enqueue(B);
            Worker worker = start(
                    inOneSlot().handle(B, (payload, context) -> await(gate)).handleBatch(A, 10, batch -> {
                        sizes.add(batch.items().size());
                        endByHeader(batch);
                    }));
            await("the slot is taken", () -> task(first).status() == TaskStatus.PROCESSING);
            List<TaskId> ids = new ArrayList<>();
            for (String end : List.of("complete", "retry", "snooze", "fail", "cancel")) {
                ids.add(sweep.enqueue(A.with(EMPTY).header("end", end).maxRetries(0))
                        .id());
            }
            gate.countDown();

            await(
                    "all have ended or snooze",
                    () -> count(TaskStatus.PENDING) == 1 && count(TaskStatus.PROCESSING) == 0);
            assertThat(ids.stream().map(id -> task(id).status()))
                    .containsExactly(
                            TaskStatus.SUCCEEDED,
                            TaskStatus.FAILED,
                            TaskStatus.PENDING,
                            TaskStatus.FAILED,
                            TaskStatus.CANCELLED);
            assertThat(task(ids.get(0)).result()).contains("\"done\"");
            assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(5);
            assertThat(worker.health().isUp()).isTrue();
        }

        @Test
        void noBatchIsLargerThanItsSizeAndEveryTaskIsInOne() throws InterruptedException {
            List<Integer> sizes = Collections.synchronizedList(new ArrayList<>());
            enqueue(A, 100);

            drain(builder()
                    .queue("default", 2)
                    .handleBatch(A, 7, batch -> sizes.add(batch.payloads().size())));

            assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(100);
            assertThat(sizes).allMatch(size -> size >= 1 && size <= 7);
            assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(100);
            assertThat(sizes.size()).as("batches").isLessThan(100);
        }

        @Test
        void afterAnExceptionEachTaskRunsOnceByItselfSoABadOneFailsAlone() throws InterruptedException {
            Map<TaskId, AtomicInteger> runs = new ConcurrentHashMap<>();
            TaskId bad = sweep.enqueue(A.with(EMPTY).header("bad", "yes").maxRetries(0))
                    .id();
            List<TaskId> good = enqueue(A, 9);

            drain(inOneSlot().batch(10, 10).bufferLimit(10).handleBatch(A, 10, batch -> {
                batch.items()
                        .forEach(item -> runs.computeIfAbsent(item.context().id(), id -> new AtomicInteger())
                                .incrementAndGet());
                if (batch.items().stream()
                        .anyMatch(item -> item.context().headers().containsKey("bad"))) {
                    throw new IllegalStateException("one is bad");
                }
            }));

            assertThat(task(bad).status()).isEqualTo(TaskStatus.FAILED);
            assertThat(good).allSatisfy(id -> {
                assertThat(task(id).status()).isEqualTo(TaskStatus.SUCCEEDED);
                assertThat(task(id).retryCount()).isZero();
                assertThat(runs.get(id)).hasValueBetween(1, 2);
            });
            assertThat(events.all(TaskEvent.TaskFailed.class)).hasSize(1);
        }

        @Test
        void whatABatchOfOneSaysOfItsTaskCountsToo() throws InterruptedException {
            TaskId id = enqueue(A);

            drain(inOneSlot().handleBatch(A, 1, batch -> batch.items().get(0).end(Outcome.fail("never"))));

            assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED);
        }

        @Test
        void aPayloadThatCanNotBeReadFailsAlone() throws InterruptedException {
            TaskType<Receipt> typed = TaskType.of("a", Receipt.class);
            TaskId unreadable = sweep.enqueue(
                            A.with(Json.of("{\"amount\": \"x\"}")).maxRetries(0))
                    .id();
            TaskId readable =
                    sweep.enqueue(typed.with(new Receipt("7", BigDecimal.ONE))).id();

            drain(builder().handleBatch(typed, 10, batch -> {}));

            assertThat(task(unreadable).status()).isEqualTo(TaskStatus.FAILED);
            assertThat(task(readable).status()).isEqualTo(TaskStatus.SUCCEEDED);
        }

        /** What runs singly after an exception is watched, told and handed on task by task. */
        @Test
        void aTaskThatHangsHoldsUpNoOtherOfItsBatch() throws InterruptedException {
            CountDownLatch end = new CountDownLatch(1);
            TaskId hanging = sweep.enqueue(
                            A.with(EMPTY).header("hangs", "yes").priority(5).maxRetries(0))
                    .id();
            TaskId first = sweep.enqueue(A.with(EMPTY).priority(10)).id();
            enqueue(A, 8);

            start(inOneSlot().batch(10, 10).timeout(A, Duration.ofMillis(50)).handleBatch(A, 10, batch -> {
                if (batch.items().size() > 1) {
                    throw new IllegalStateException("not together");
                }
                if (batch.items().get(0).context().headers().containsKey("hangs")) {
                    awaitDeafly(end);
                }
            }));

            awaitCount(TaskStatus.FAILED, 1);
            awaitCount(TaskStatus.SUCCEEDED, 9);
            assertThat(task(hanging).status()).isEqualTo(TaskStatus.FAILED);
            assertThat(task(first).status()).isEqualTo(TaskStatus.SUCCEEDED);
            end.countDown();
        }

        @Test
        void aBatchThatTimesOutFailsAllOfItsTasks() throws InterruptedException {
            for (int i = 0; i < 3; i++) {
                sweep.enqueue(A.with(EMPTY).maxRetries(0));
            }

            drain(builder()
                    .queue("default", 1)
                    .timeout(A, Duration.ofMillis(20))
                    .handleBatch(A, 3, batch -> {
                        new CountDownLatch(1).await();
                    }));

            assertThat(count(TaskStatus.FAILED)).isEqualTo(3);
        }

        private WorkerBuilder inOneSlot() {
            return builder().queue("default", 1);
        }

        private void endByHeader(TaskBatch<Json> batch) {
            for (TaskBatch.Item<Json> item : batch.items()) {
                switch (item.context().headers().get("end")) {
                    case "complete" -> item.end(Outcome.complete("done"));
                    case "retry" -> item.end(Outcome.retry("again"));
                    case "snooze" -> item.end(Outcome.snooze(Duration.ofDays(1)));
                    case "fail" -> item.end(Outcome.fail("never"));
                    default -> item.end(Outcome.cancel("unwanted"));
                }
            }
        }
    }

    @Nested
    class Interceptors {

        private final List<String> told = Collections.synchronizedList(new ArrayList<>());

        @Test
        void theyAreAroundEveryEnqueueAndEveryRunTheFirstOutermost() throws InterruptedException {
            Sweep intercepted = Sweep.builder(store)
                    .interceptor(new Tracing("outer"))
                    .interceptor(new Tracing("inner"))
                    .build();
            TaskId id = intercepted.enqueue(A.with(EMPTY)).id();
            assertThat(task(id).headers()).containsEntry("trace", "outer>inner");
            Worker worker = Worker.builder(intercepted)
                    .handle(A, (payload, context) -> told.add("handler"))
                    .build();
            try (worker) {
                worker.start();
                assertThat(worker.awaitIdle(DEADLINE)).isTrue();
            }

            assertThat(told)
                    .containsExactly("outer begins " + id, "inner begins " + id, "handler", "inner ends", "outer ends");
        }

        @Test
        void theirOutcomeAndTheirExceptionsAreThoseOfTheAttempt() throws InterruptedException {
            Set<TaskId> refused = new HashSet<>();
            Sweep intercepted = Sweep.builder(store)
                    .interceptor(new TaskInterceptor() {
                        @Override
                        public Outcome aroundRun(List<TaskContext> contexts, Run run) {
                            refused.add(contexts.get(0).id());
                            return Outcome.cancel("this tenant is gone");
                        }
                    })
                    .build();
            TaskId id = enqueue(A);
            Worker worker = Worker.builder(intercepted)
                    .handle(A, (payload, context) -> told.add("handler"))
                    .build();
            try (worker) {
                worker.start();
                assertThat(worker.awaitIdle(DEADLINE)).isTrue();
            }

            assertThat(task(id).status()).isEqualTo(TaskStatus.CANCELLED);
            assertThat(refused).containsExactly(id);
            assertThat(told).isEmpty();
        }

        private final class Tracing implements TaskInterceptor {

            private final String name;

            private Tracing(String name) {
                this.name = name;
            }

            @Override
            public <P> NewTask<P> beforeEnqueue(NewTask<P> task) {
                String before = task.headers().get("trace");
                return task.header("trace", before == null ? name : before + ">" + name);
            }

            @Override
            public Outcome aroundRun(List<TaskContext> contexts, Run run) throws Exception {
                told.add(name + " begins " + contexts.get(0).id());
                try {
                    return run.proceed();
                } finally {
                    told.add(name + " ends");
                }
            }
        }
    }

    @Test
    void spreadTasksAreDueSomewhereWithinTheSpread() {
        Instant now = time.instant();
        Set<Instant> dueTimes = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            TaskId id = sweep.enqueue(A.with(EMPTY).delay(Duration.ofMinutes(1)).spread(Duration.ofMinutes(10)))
                    .id();
            dueTimes.add(task(id).dueAt());
        }

        assertThat(dueTimes)
                .hasSizeGreaterThan(10)
                .allSatisfy(due ->
                        assertThat(due).isBetween(now.plus(Duration.ofMinutes(1)), now.plus(Duration.ofMinutes(11))));
    }

    private static void awaitDeafly(CountDownLatch end) {
        boolean isOver = false;
        while (!isOver) {
            try {
                end.await();
                isOver = true;
            } catch (InterruptedException ignoredOnPurpose) {
                // As code of others may.
            }
        }
    }
}
