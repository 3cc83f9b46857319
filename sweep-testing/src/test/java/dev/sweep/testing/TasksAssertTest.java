package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Outcome;
import dev.sweep.Sweep;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.spi.TaskRecord;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TasksAssertTest {

    private record Mail(String address, BigDecimal price) {}

    private static final TaskType<Mail> MAIL = TaskType.of("mail", Mail.class);
    private static final TaskType<Json> OTHER = TaskType.json("other");
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final Mail ADA = new Mail("ada@example.org", new BigDecimal("1.10"));
    private static final Mail BOB = new Mail("bob@example.org", BigDecimal.ONE);

    private final SettableTime time = SettableTime.at(NOW);
    private final InMemoryTaskStore store = InMemoryTaskStore.create(time);
    private final Sweep sweep = Sweep.create(store);

    @Test
    void everyValueOfATaskIsJudged() {
        enqueue(MAIL.with(ADA)
                .priority(7)
                .queue("letters")
                .dedupKey("welcome:1")
                .header("tenant", "t1")
                .maxRetries(2)
                .delay(Duration.ofHours(1)));

        TaskAssert<Mail> mail = tasks().enqueued(MAIL).hasSize(1).single();
        mail.hasPayload(ADA)
                .hasPriority(7)
                .isInQueue("letters")
                .hasDedupKey("welcome:1")
                .hasHeader("tenant", "t1")
                .hasMaxRetries(2)
                .isDueIn(Duration.ofHours(1))
                .isDueAt(NOW.plus(Duration.ofHours(1)))
                .hasStatus(TaskStatus.PENDING)
                .hasRetryCount(0);
        assertThat(mail.payload()).isEqualTo(ADA);

        assertRefused(() -> mail.hasPayload(BOB), "have the payload " + BOB + ", but it is " + ADA);
        assertRefused(() -> mail.hasPriority(6), "have the priority 6, but it is 7");
        assertRefused(() -> mail.isInQueue("default"), "have the queue default, but it is letters");
        assertRefused(() -> mail.hasDedupKey("x"), "have the dedup key x, but it is welcome:1");
        assertRefused(() -> mail.hasHeader("user", "x"), "have the header user x, but it is null");
        assertRefused(() -> mail.hasMaxRetries(3), "have the max retries 3, but it is 2");
        assertRefused(() -> mail.isDueIn(Duration.ZERO), "have the delay since its enqueue PT0S, but it is PT1H");
        assertRefused(() -> mail.isDueAt(NOW), "have the due time " + NOW + ", but it is 2026-03-01T11:00:00Z");
        assertRefused(() -> mail.hasStatus(TaskStatus.FAILED), "have the status failed, but it is pending");
        assertRefused(() -> mail.hasRetryCount(1), "have the retry count 1, but it is 0");
        assertRefused(() -> mail.hasErrorContaining("x"), "have an error with 'x' in it, but it has none");
    }

    @Test
    void errorsAreJudgedByAPart() {
        enqueue(OTHER.with(Json.of("{}")));
        SteppedEngine engine = SteppedEngine.of(sweep).handle(OTHER, (payload, context) -> {
            throw new IllegalStateException("no route to host");
        });
        engine.runNext().hasFailures(1);

        TaskAssert<Json> task = tasks().enqueued(OTHER).single().hasErrorContaining("no route");
        assertRefused(() -> task.hasErrorContaining("x"), "with 'x' in it, but it is 'no route to host'");
    }

    @Test
    void resultsAreJudgedAsObjects() {
        enqueue(OTHER.with(Json.of("{}")), OTHER.with(Json.of("{}")));
        SteppedEngine.of(sweep)
                .handleForOutcome(OTHER, (payload, context) -> Outcome.complete(ADA))
                .runNext()
                .hasNoFailures();

        TaskAssert<Json> ended = tasks().enqueued(OTHER).first().hasResult(ADA);
        assertRefused(() -> ended.hasResult(BOB), "have the result " + BOB + ", but it is " + ADA);
        assertRefused(() -> tasks().enqueued(OTHER).last().hasResult(ADA), "but it is null");
    }

    @Test
    void tasksOfATypeStandInTheOrderOfTheirEnqueue() {
        enqueue(MAIL.with(ADA), OTHER.with(Json.of("1")), MAIL.with(BOB).priority(9));

        EnqueuedAssert<Mail> mails = tasks().enqueued(MAIL).hasPayloads(ADA, BOB);
        mails.first().hasPayload(ADA);
        mails.last().hasPayload(BOB);
        mails.get(1).hasPayload(BOB);
        assertThat(mails.tasks()).hasSize(2);

        assertRefused(() -> mails.hasSize(3), "expected 3 tasks of type mail, but there are 2: [Task[id=");
        assertRefused(mails::single, "expected 1 tasks of type mail, but there are 2");
        assertRefused(() -> mails.get(2), "at index 2, but there are 2");
        assertRefused(() -> mails.hasPayloads(BOB, ADA), "have the payload " + BOB);
    }

    @Test
    void whatIsMissingIsToldWithWhatIsThere() {
        tasks().nothingEnqueued();
        assertRefused(() -> tasks().enqueued(MAIL), "but there is none; no task is there at all");

        enqueue(OTHER.with(Json.of("1")), OTHER.with(Json.of("2")));

        tasks().notEnqueued(MAIL);
        assertRefused(() -> tasks().enqueued(MAIL), "but there is none; these are there: 2 of type other");
        assertRefused(() -> tasks().notEnqueued(OTHER), "expected no task of type other, but there is [Task[id=");
        assertRefused(() -> tasks().nothingEnqueued(), "expected no task at all, but these are there: 2 of type other");
    }

    @Test
    void jsonIsComparedByItsMeaning() {
        enqueue(OTHER.with(Json.of("{\"a\": 1.10, \"b\": [true]}")));

        TaskAssert<Json> task = tasks().enqueued(OTHER).single();
        task.hasPayload(Json.of("{\"b\":[true],\"a\":1.10}"));
        assertRefused(() -> task.hasPayload(Json.of("{\"a\": 1.10}")), "payload {a=1.10}");
    }

    @Test
    void aPayloadThatCanNotBeReadIsToldAsSuch() {
        store.enqueue(List.of(TaskRecord.of(TaskType.json("mail").with(Json.of("[]")), "[]")));

        assertRefused(() -> tasks().enqueued(MAIL).single().hasPayload(ADA), "it is []");
    }

    @Test
    void moreTasksThanOnePageAreAllSeen() {
        sweep.enqueueAll(
                Stream.generate(() -> OTHER.with(Json.of("1"))).limit(20_001).toList());

        tasks().enqueued(OTHER).hasSize(20_001);
    }

    @Test
    void theTasksAreThoseOfTheMomentOfTheQuestion() {
        TasksAssert before = tasks();
        enqueue(MAIL.with(ADA));

        before.nothingEnqueued();
        tasks().enqueued(MAIL);
    }

    private TasksAssert tasks() {
        return TasksAssert.assertThatTasks(sweep);
    }

    private void enqueue(NewTask<?>... tasks) {
        sweep.enqueueAll(List.of(tasks));
    }

    private static void assertRefused(ThrowingCallable assertion, String message) {
        assertThatThrownBy(assertion).isInstanceOf(AssertionError.class).hasMessageContaining(message);
    }
}
