package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Due;
import dev.sweep.Json;
import dev.sweep.Outcome;
import dev.sweep.RetryPolicy;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent;
import dev.sweep.worker.Worker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkerFailuresTest extends WorkerSetting {

    @Test
    void withoutRetriesAFailingTaskRunsOnce() throws InterruptedException {
        assertRunsOfAFailingTask(0);
    }

    @Test
    void withOneRetryAFailingTaskRunsTwice() throws InterruptedException {
        assertRunsOfAFailingTask(1);
    }

    @Test
    void withThreeRetriesAFailingTaskRunsFourTimes() throws InterruptedException {
        assertRunsOfAFailingTask(3);
    }

    @Test
    void aTaskThatRecoversSucceedsAndKeepsItsRetries() throws InterruptedException {
        TaskId id = enqueue(A);

        drain(builder().handle(A, (payload, context) -> {
            if (context.attempt() < 3) {
                throw new Exception("not yet");
            }
        }));

        assertThat(task(id).status()).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(task(id).retryCount()).isEqualTo(2);
    }

    @Test
    void anOutcomeOfFailEndsTheTaskWhateverRetriesItHas() throws InterruptedException {
        TaskId id = enqueue(A);

        drain(builder().handleForOutcome(A, (payload, context) -> Outcome.fail("no such user")));

        assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED);
        assertThat(task(id).retryCount()).isZero();
        assertThat(task(id).error()).contains("no such user");
    }

    @Test
    void aRetryWaitsAsLongAsTheHandlerAsksElseAsTheBackoffOfItsTypeSays() throws InterruptedException {
        enqueue(A);
        enqueue(B);
        TaskType<Json> c = TaskType.json("c");
        enqueue(c);

        drain(builder()
                .retryPolicy(RetryPolicy.fixed(Duration.ofHours(7)))
                .retryPolicy(B, RetryPolicy.fixed(Duration.ofHours(2)))
                .handleForOutcome(A, (payload, context) -> Outcome.retryAfter(Duration.ofHours(5), "busy"))
                .handleForOutcome(B, (payload, context) -> Outcome.retry("busy"))
                .handleForOutcome(c, (payload, context) -> Outcome.retry("busy")));

        assertThat(retryOf("a")).isEqualTo(Due.in(Duration.ofHours(5)));
        assertThat(retryOf("b")).isEqualTo(Due.in(Duration.ofHours(2)));
        assertThat(retryOf("c")).isEqualTo(Due.in(Duration.ofHours(7)));
    }

    @Test
    void aRetryPolicyThatThrowsCostsTheFailureNothing() throws InterruptedException {
        TaskId id = enqueue(A);

        drain(builder()
                .retryPolicy(A, (failed, random) -> {
                    throw new ArithmeticException("a broken policy");
                })
                .handle(A, (payload, context) -> {
                    throw new IllegalStateException("the real reason");
                }));

        assertThat(task(id).status()).isEqualTo(TaskStatus.PENDING);
        assertThat(task(id).retryCount()).isEqualTo(1);
        assertThat(task(id).error()).contains("the real reason");
    }

    @Test
    void aHandlerThatReturnsNullFailsItsAttemptWithTheRemedy() throws InterruptedException {
        TaskId id = sweep.enqueue(A.with(EMPTY).maxRetries(0)).id();

        drain(builder().handleForOutcome(A, (payload, context) -> null));

        assertThat(task(id).error()).get().asString().contains("returned null", "Outcome.complete()");
    }

    @Test
    void anExceptionWhoseMethodsThrowIsStillRecorded() throws InterruptedException {
        TaskId id = sweep.enqueue(A.with(EMPTY).maxRetries(0)).id();

        drain(builder().handle(A, (payload, context) -> {
            throw new Nasty();
        }));

        assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED);
        assertThat(task(id).error()).get().asString().contains("can't be read");
    }

    @Test
    void errorsOfAllKindsEndOnlyTheirAttemptAndLeaveAllSlotsWorking() throws InterruptedException {
        List<TaskId> bad = List.copyOf(enqueue(A.maxRetries(1), 12));
        CyclicBarrier fourAtOnce = new CyclicBarrier(4);
        AtomicInteger kind = new AtomicInteger();
        Worker worker = start(builder()
                .queue("default", 4)
                .handle(A, (payload, context) -> throwOne(kind.getAndIncrement()))
                .handle(B, (payload, context) -> await(fourAtOnce)));
        assertThat(worker.awaitIdle(DEADLINE)).isTrue();
        assertThat(bad).allSatisfy(id -> {
            assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED);
            assertThat(task(id).retryCount()).isEqualTo(1);
        });

        List<TaskId> healthy = enqueue(B, 20);

        assertThat(worker.awaitIdle(DEADLINE)).isTrue();
        assertThat(healthy).allSatisfy(id -> assertThat(task(id).status()).isEqualTo(TaskStatus.SUCCEEDED));
        assertThat(worker.health().isUp()).isTrue();
    }

    @Test
    void afterAnOutOfMemoryErrorTheWorkerHandsBackWhatHasNotStartedAndSaysThatItIsDown() throws InterruptedException {
        TaskId fatal = sweep.enqueue(A.with(EMPTY).priority(10)).id();
        CountDownLatch isThrown = new CountDownLatch(1);
        Worker worker = start(builder().queue("default", 1).handle(A, (payload, context) -> {
            isThrown.countDown();
            throw new OutOfMemoryError("pretended");
        }));
        await(isThrown);
        assertThat(await(TaskEvent.WorkerDown.class).cause()).isInstanceOf(OutOfMemoryError.class);
        TaskId later = enqueue(A);

        assertThat(worker.awaitIdle(DEADLINE)).isFalse();
        assertThat(worker.health().isUp()).isFalse();
        assertThat(worker.health().downReasons())
                .singleElement()
                .asString()
                .contains("OutOfMemoryError", "new process");
        worker.close();
        assertThat(task(fatal).status()).isEqualTo(TaskStatus.PENDING);
        assertThat(task(fatal).retryCount()).isEqualTo(1);
        assertThat(task(later).startedAt()).isEmpty();
    }

    private void assertRunsOfAFailingTask(int maxRetries) throws InterruptedException {
        TaskId id = sweep.enqueue(A.with(EMPTY).maxRetries(maxRetries)).id();
        AtomicInteger runs = new AtomicInteger();

        drain(builder().handle(A, (payload, context) -> {
            assertThat(context.attempt()).isEqualTo(runs.incrementAndGet());
            throw new IllegalStateException("never");
        }));

        Task task = task(id);
        assertThat(runs).hasValue(maxRetries + 1);
        assertThat(task.retryCount()).isEqualTo(maxRetries);
        assertThat(task.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(task.error()).contains("never");
        assertThat(events.all(TaskEvent.AttemptFailed.class)).hasSize(maxRetries);
        assertThat(events.all(TaskEvent.TaskFailed.class)).hasSize(1);
    }

    private Due retryOf(String type) {
        return events.all(TaskEvent.AttemptFailed.class).stream()
                .filter(failed -> failed.run().type().equals(type))
                .map(TaskEvent.AttemptFailed::retry)
                .findFirst()
                .orElseThrow();
    }

    private static void throwOne(int kind) {
        switch (kind % 6) {
            case 0 -> recurse(0);
            case 1 -> throw new AssertionError("an assertion");
            case 2 -> throw new NoClassDefFoundError("dev/sweep/Missing");
            case 3 -> throw new IllegalStateException(String.valueOf(Unloadable.VALUE));
            case 4 -> throwAny(new Exception("sneaky"));
            default -> throwAny(new Throwable("a bare throwable"));
        }
    }

    private static int recurse(int depth) {
        return depth < Integer.MAX_VALUE ? recurse(depth + 1) + 1 : depth;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwAny(Throwable thrown) throws T {
        throw (T) thrown;
    }

    /** An ExceptionInInitializerError the first time, a NoClassDefFoundError after that. */
    private static final class Unloadable {
        static final int VALUE = Integer.parseInt("not a number");
    }

    private static final class Nasty extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message for you");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("no text for you");
        }

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("no cause for you");
        }
    }
}
