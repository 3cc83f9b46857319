package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.InvalidConfigurationException;
import dev.sweep.Json;
import dev.sweep.Outcome;
import dev.sweep.RetryPolicy;
import dev.sweep.Sweep;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SteppedEngineTest {

    private static final Json EMPTY = Json.of("{}");
    private static final TaskType<Json> A = TaskType.json("a");
    private static final TaskType<Json> ELSEWHERE = TaskType.json("b").inQueue("elsewhere");

    private final SettableTime time = SettableTime.at(Instant.parse("2026-03-01T10:00:00Z"));
    private final Sweep sweep = Sweep.create(InMemoryTaskStore.create(time));
    private final List<String> ran = new ArrayList<>();

    @Test
    void runsWhatIsDueOnTheCallingThreadInClaimOrder() {
        sweep.enqueue(A.with(Json.of("1")).priority(1));
        sweep.enqueue(A.with(Json.of("2")).priority(9));
        sweep.enqueue(ELSEWHERE.with(Json.of("3")));
        Thread test = Thread.currentThread();
        SteppedEngine engine = SteppedEngine.of(sweep)
                .handle(A, (payload, context) -> {
                    assertThat(Thread.currentThread()).isSameAs(test);
                    ran.add(payload.text());
                })
                .handle(ELSEWHERE, (payload, context) -> ran.add(payload.text()));

        engine.drain().hasRun(3);
        assertThat(ran).containsSubsequence("2", "1").contains("3");
        engine.drain().hasRun(0);
    }

    @Test
    void retriesAndDelaysRunWhenTimeHasComeToThem() {
        TaskId id = sweep.enqueue(A.with(EMPTY).delay(Duration.ofHours(1))).id();
        SteppedEngine engine = SteppedEngine.of(sweep)
                .retryPolicy(RetryPolicy.fixed(Duration.ofMinutes(1)))
                .handle(A, (payload, context) -> {
                    if (context.attempt() == 1) {
                        throw new IllegalStateException("the first time");
                    }
                });

        engine.drain().hasRun(0);
        time.advance(Duration.ofHours(1));
        assertThat(engine.drain().hasRun(1).hasFailures(1).succeeded()).isZero();
        assertThat(sweep.find(id)).get().satisfies(task -> {
            assertThat(task.status()).isEqualTo(TaskStatus.PENDING);
            assertThat(task.error()).contains("the first time");
            assertThat(task.dueAt()).isEqualTo("2026-03-01T11:01:00Z");
        });
        time.advance(Duration.ofMinutes(1));
        assertThat(engine.drain().hasRun(1).succeeded()).isEqualTo(1);
        assertThat(sweep.find(id).orElseThrow().status()).isEqualTo(TaskStatus.SUCCEEDED);
    }

    @Test
    void tasksThatHandlersEnqueueAreDrainedToo() {
        sweep.enqueue(A.with(EMPTY));
        SteppedEngine engine = SteppedEngine.of(sweep)
                .handle(A, (payload, context) -> sweep.enqueue(ELSEWHERE.with(EMPTY)))
                .handle(ELSEWHERE, (payload, context) -> {});

        engine.drain().hasRun(2);
    }

    @Test
    void aTaskThatKeepsItselfGoingIsStoppedAtTheLimitAndNamed() {
        TaskId id = sweep.enqueue(A.with(EMPTY)).id();
        SteppedEngine engine =
                SteppedEngine.of(sweep).handleForOutcome(A, (payload, context) -> Outcome.snooze(Duration.ZERO));

        assertThatThrownBy(() -> engine.drain(10))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("drain stopped after 11 attempts, over its limit of 10")
                .hasMessageContaining("most often ran task " + id + " (type a) 11 times");
    }

    @Test
    void aTypeThatEnqueuesItselfIsStoppedAtTheLimitAndNamed() {
        sweep.enqueue(A.with(EMPTY));
        SteppedEngine engine = SteppedEngine.of(sweep).handle(A, (payload, context) -> sweep.enqueue(A.with(EMPTY)));

        assertThatThrownBy(engine::drain)
                .hasMessageContaining("over its limit of 10000")
                .hasMessageContaining("most often ran tasks of type a 10001 times");
    }

    @Test
    void aDrainThatIsStoppedShowsWhatAHandlerThrew() {
        sweep.enqueue(A.with(EMPTY).maxRetries(100));
        SteppedEngine engine = SteppedEngine.of(sweep)
                .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                .handle(A, (payload, context) -> {
                    throw new IllegalStateException("again");
                });

        assertThatThrownBy(() -> engine.drain(10)).hasSuppressedException(new IllegalStateException("again"));
    }

    @Test
    void asManyTasksAsTheLimitAllowsAreNoFault() {
        sweep.enqueueAll(List.of(A.with(EMPTY), A.with(EMPTY)));

        SteppedEngine.of(sweep).handle(A, (payload, context) -> {}).drain(2).hasRun(2);
    }

    @Test
    void aLimitOutOfRangeIsRefused() {
        SteppedEngine engine = SteppedEngine.of(sweep);

        assertThatThrownBy(() -> engine.drain(0)).hasMessage("limit 0 is out of range; use 1 to 1000000");
        assertThatThrownBy(() -> engine.drain(1_000_001)).hasMessageContaining("1000001 is out of range");
    }

    @Test
    void aWrongCountIsToldWithWhatWaits() {
        sweep.enqueue(ELSEWHERE.with(EMPTY));
        sweep.enqueue(ELSEWHERE.with(EMPTY).delay(Duration.ofHours(1)));
        SteppedEngine engine = SteppedEngine.of(sweep).handle(A, (payload, context) -> {});

        Drained drained = engine.drain();

        assertThatThrownBy(() -> drained.hasRun(1))
                .isInstanceOf(AssertionError.class)
                .hasMessage("expected 1 attempts, but 0 ran; waiting: b (2, the next due at 2026-03-01T10:00:00Z,"
                        + " queue elsewhere)");
    }

    @Test
    void failuresAreToldWithWhatWasThrown() {
        sweep.enqueue(A.with(EMPTY));
        Drained drained = SteppedEngine.of(sweep)
                .handle(A, (payload, context) -> {
                    throw new IllegalStateException("broken");
                })
                .drain();

        assertThatThrownBy(drained::hasNoFailures)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected 0 failures, but 1 of 1 attempts failed; the first is attempt 1 of task")
                .hasMessageContaining("(type a), which will be tried again: java.lang.IllegalStateException: broken")
                .hasCause(new IllegalStateException("broken"));
        assertThatThrownBy(() -> drained.hasFailures(2)).hasCause(new IllegalStateException("broken"));
        assertThatThrownBy(() -> drained.hasRun(2))
                .hasMessageContaining("waiting: a (1")
                .hasMessageContaining("broken");
    }

    @Test
    void namedQueuesAreTheOnlyOnes() {
        sweep.enqueue(A.with(EMPTY));
        sweep.enqueue(A.with(EMPTY).queue("mail"));

        SteppedEngine.of(sweep)
                .queue("mail")
                .handle(A, (payload, context) -> ran.add(context.queue()))
                .drain()
                .hasRun(1);
        assertThat(ran).containsExactly("mail");
    }

    @Test
    void anEngineWithoutHandlersIsRefused() {
        assertThatThrownBy(SteppedEngine.of(sweep)::drain).isInstanceOf(InvalidConfigurationException.class);
    }
}
