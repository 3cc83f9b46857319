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

        assertThat(engine.drain()).isEqualTo(3);
        assertThat(ran).containsSubsequence("2", "1").contains("3");
        assertThat(engine.drain()).isZero();
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

        assertThat(engine.drain()).isZero();
        time.advance(Duration.ofHours(1));
        assertThat(engine.drain()).isEqualTo(1);
        assertThat(sweep.find(id)).get().satisfies(task -> {
            assertThat(task.status()).isEqualTo(TaskStatus.PENDING);
            assertThat(task.error()).contains("the first time");
            assertThat(task.dueAt()).isEqualTo("2026-03-01T11:01:00Z");
        });
        time.advance(Duration.ofMinutes(1));
        assertThat(engine.drain()).isEqualTo(1);
        assertThat(sweep.find(id).orElseThrow().status()).isEqualTo(TaskStatus.SUCCEEDED);
    }

    @Test
    void tasksThatHandlersEnqueueAreDrainedToo() {
        sweep.enqueue(A.with(EMPTY));
        SteppedEngine engine = SteppedEngine.of(sweep)
                .handle(A, (payload, context) -> sweep.enqueue(ELSEWHERE.with(EMPTY)))
                .handle(ELSEWHERE, (payload, context) -> {});

        assertThat(engine.drain()).isEqualTo(2);
    }

    @Test
    void aTaskThatKeepsItselfGoingIsStoppedAtTheLimit() {
        sweep.enqueue(A.with(EMPTY));
        SteppedEngine engine = SteppedEngine.of(sweep)
                .limit(10)
                .handleForOutcome(A, (payload, context) -> Outcome.snooze(Duration.ZERO));

        assertThatThrownBy(engine::drain)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("limit of 10");
    }

    @Test
    void asManyTasksAsTheLimitAllowsAreNoFault() {
        sweep.enqueueAll(List.of(A.with(EMPTY), A.with(EMPTY)));

        assertThat(SteppedEngine.of(sweep)
                        .limit(2)
                        .handle(A, (payload, context) -> {})
                        .drain())
                .isEqualTo(2);
    }

    @Test
    void namedQueuesAreTheOnlyOnes() {
        sweep.enqueue(A.with(EMPTY));
        sweep.enqueue(A.with(EMPTY).queue("mail"));

        assertThat(SteppedEngine.of(sweep)
                        .queue("mail")
                        .handle(A, (payload, context) -> ran.add(context.queue()))
                        .drain())
                .isEqualTo(1);
        assertThat(ran).containsExactly("mail");
    }

    @Test
    void anEngineWithoutHandlersIsRefused() {
        assertThatThrownBy(SteppedEngine.of(sweep)::drain).isInstanceOf(InvalidConfigurationException.class);
    }
}
