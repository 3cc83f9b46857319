package dev.sweep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.Outcome;
import dev.sweep.RetryPolicy;
import dev.sweep.TaskId;
import dev.sweep.TaskType;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class TypeLimitsTest {

    private static final TaskType<Json> RENAMED = TaskType.json("new").alias("old");
    private static final TaskType<Json> OTHER = TaskType.json("other");

    private final TypeLimits limits = new TypeLimits(new HandlerRegistry(
            Map.of("new", handler(RENAMED), "other", handler(OTHER)),
            Map.of("new", new TypeSettings(Optional.empty(), Optional.empty(), OptionalInt.of(1))),
            RetryPolicy.never()));

    @Test
    void allNamesOfATypeShareItsLimit() {
        HeldAttempt old = attempt("old");
        limits.entered(old);
        limits.started(List.of(old));

        assertThat(limits.mayStart("new")).isFalse();
        assertThat(limits.mayStart("old")).isFalse();
        assertThat(limits.mayStart("other")).isTrue();
        assertThat(limits.reached()).containsExactlyInAnyOrder("new", "old");

        limits.ended(List.of(old), Duration.ofMillis(1));
        assertThat(limits.mayStart("new")).isTrue();
        assertThat(limits.reached()).isEmpty();
    }

    private static RegisteredHandler<?> handler(TaskType<Json> type) {
        return new RegisteredHandler.Single<>(type, (payload, context) -> Outcome.complete());
    }

    private static HeldAttempt attempt(String type) {
        ClaimedTask task = new ClaimedTask(
                new Attempt(1, TaskId.of(1)), type, "default", 1, Instant.EPOCH, 0, 0, 3, "{}", Map.of());
        return new HeldAttempt(task, new HeldLease(Moment.now().plus(Duration.ofDays(1))), Moment.now());
    }
}
