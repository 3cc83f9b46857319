package dev.sweep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Backoff;
import dev.sweep.TaskId;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetryRuleTest {

    private static final Duration CAP = Duration.ofHours(1);

    @Test
    void aTaskIsRetriedWhileItHasFailedLessOftenThanItHasRetries() {
        RetryRule rule = ruleOf(Backoff.fixed(Duration.ofSeconds(2)));

        assertThat(rule.retryIn(task(2, 3))).isEqualTo(Duration.ofSeconds(2));
        assertThat(rule.retryIn(task(3, 3))).isNull();
        assertThat(rule.retryIn(task(0, 0))).isNull();
        assertThat(rule.retryIn(task(3, 3), Duration.ofSeconds(9))).isNull();
        assertThat(rule.retryIn(task(0, 3), Duration.ofSeconds(9))).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void theBackoffIsToldHowOftenTheTaskHasFailedThisTimeIncluded() {
        RetryRule rule = ruleOf((failures, random) -> Duration.ofSeconds(failures));

        assertThat(rule.retryIn(task(0, 9))).isEqualTo(Duration.ofSeconds(1));
        assertThat(rule.retryIn(task(4, 9))).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void delaysStayBetweenZeroAndTheCapHoweverOftenATaskHasFailed() {
        RetryRule rule = ruleOf(Backoff.exponential(Duration.ofSeconds(1), CAP));

        for (int retries : new int[] {0, 30, 31, 32, 61, 62, 63, 64, 99, 999_999}) {
            assertThat(rule.retryIn(task(retries, 1_000_000))).isBetween(Duration.ZERO, CAP);
        }
    }

    @Test
    void aBackoffThatMisbehavesIsHeldWithinBounds() {
        assertThat(ruleOf((failures, random) -> Duration.ofSeconds(-1)).retryIn(task(0, 3)))
                .isEqualTo(Duration.ZERO);
        assertThat(ruleOf((failures, random) -> Duration.ofDays(100_000)).retryIn(task(0, 3)))
                .isEqualTo(Duration.ofDays(3650));
        assertThat(ruleOf((failures, random) -> null).retryIn(task(0, 3))).isBetween(Duration.ZERO, CAP);
    }

    private static RetryRule ruleOf(Backoff backoff) {
        return new RetryRule(new HandlerRegistry(Map.of(), Map.of(), backoff), new Random(1));
    }

    private static ClaimedTask task(int retries, int maxRetries) {
        return new ClaimedTask(
                new Attempt(1, TaskId.of(1)), "a", "default", 1, Instant.EPOCH, retries, 0, maxRetries, "{}", Map.of());
    }
}
