package dev.sweep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Backoff;
import dev.sweep.Due;
import dev.sweep.NoRetryException;
import dev.sweep.RetryAfterException;
import dev.sweep.RetryPolicy;
import dev.sweep.TaskId;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RetryRuleTest {

    private static final Duration CAP = Duration.ofHours(1);
    private static final Due TWO_SECONDS = Due.in(Duration.ofSeconds(2));
    private static final Due TOMORROW = Due.at(Instant.parse("2030-01-01T00:00:00Z"));
    private static final Exception FAILED = new IllegalStateException("failed");

    @Test
    void aTaskIsRetriedWhileItHasFailedLessOftenThanItHasRetries() {
        RetryRule rule = ruleOf(RetryPolicy.fixed(Duration.ofSeconds(2)));

        assertThat(rule.retryAfter(task(2, 3), FAILED)).isEqualTo(TWO_SECONDS);
        assertThat(rule.retryAfter(task(3, 3), FAILED)).isNull();
        assertThat(rule.retryAfter(task(0, 0), FAILED)).isNull();
    }

    @Test
    void whatTheHandlerAskedForGoesBeforeThePolicyWhileThereAreRetries() {
        RetryRule rule = ruleOf(RetryPolicy.fixed(Duration.ofSeconds(2)));

        assertThat(rule.retryAsAsked(task(0, 3), FAILED, TOMORROW)).isEqualTo(TOMORROW);
        assertThat(rule.retryAsAsked(task(0, 3), FAILED, null)).isEqualTo(TWO_SECONDS);
        assertThat(rule.retryAsAsked(task(3, 3), FAILED, TOMORROW)).isNull();
        assertThat(rule.retryAfter(task(0, 3), new RetryAfterException(Duration.ofSeconds(9), "busy")))
                .isEqualTo(Due.in(Duration.ofSeconds(9)));
        assertThat(rule.retryAfter(task(3, 3), new RetryAfterException(Duration.ofSeconds(9), "busy")))
                .isNull();
        assertThat(rule.retryAfter(task(0, 3), new NoRetryException("hopeless")))
                .isNull();
    }

    @Test
    void thePolicyCanGiveUpByWhatWasThrownOrByItsCause() {
        RetryRule rule = ruleOf(RetryPolicy.fixed(Duration.ofSeconds(2)).butNotOn(IOException.class));

        assertThat(rule.retryAfter(task(0, 3), FAILED)).isEqualTo(TWO_SECONDS);
        assertThat(rule.retryAfter(task(0, 3), new IOException("gone"))).isNull();
        assertThat(rule.retryAfter(task(0, 3), new UncheckedIOException(new IOException("gone"))))
                .isNull();
        assertThat(ruleOf(RetryPolicy.never()).retryAfter(task(0, 3), FAILED)).isNull();
    }

    @Test
    void thePolicyIsToldHowOftenTheTaskHasFailedThisTimeIncluded() {
        RetryRule rule = ruleOf((failed, random) -> Optional.of(Duration.ofSeconds(failed.failures())));

        assertThat(rule.retryAfter(task(0, 9), FAILED)).isEqualTo(Due.in(Duration.ofSeconds(1)));
        assertThat(rule.retryAfter(task(4, 9), FAILED)).isEqualTo(Due.in(Duration.ofSeconds(5)));
    }

    @Test
    void delaysStayBetweenZeroAndTheCapHoweverOftenATaskHasFailed() {
        RetryRule rule = ruleOf(RetryPolicy.exponential(Duration.ofSeconds(1), CAP));

        for (int retries : new int[] {0, 30, 31, 32, 61, 62, 63, 64, 99, 999_999}) {
            assertThat(delay(rule.retryAfter(task(retries, 1_000_000), FAILED))).isBetween(Duration.ZERO, CAP);
        }
    }

    @Test
    void aPolicyThatMisbehavesIsHeldWithinBounds() {
        assertThat(delay(ruleOf(RetryPolicy.of((failures, random) -> Duration.ofSeconds(-1)))
                        .retryAfter(task(0, 3), FAILED)))
                .isEqualTo(Duration.ZERO);
        assertThat(delay(ruleOf(RetryPolicy.of((failures, random) -> Duration.ofDays(100_000)))
                        .retryAfter(task(0, 3), FAILED)))
                .isEqualTo(Duration.ofDays(3650));
        assertThat(delay(ruleOf((failed, random) -> null).retryAfter(task(0, 3), FAILED)))
                .isBetween(Duration.ZERO, CAP);
        assertThat(delay(ruleOf(RetryPolicy.of(Backoff.ofDefaults()).butNotOn(IOException.class))
                        .retryAfter(task(0, 3), new UnreadableError())))
                .isBetween(Duration.ZERO, CAP);
    }

    private static Duration delay(@Nullable Due due) {
        assertThat(due).isInstanceOf(Due.In.class);
        return ((Due.In) due).delay();
    }

    private static RetryRule ruleOf(RetryPolicy policy) {
        return new RetryRule(new HandlerRegistry(Map.of(), Map.of(), policy), new Random(1));
    }

    private static ClaimedTask task(int retries, int maxRetries) {
        return new ClaimedTask(
                new Attempt(1, TaskId.of(1)), "a", "default", 1, Instant.EPOCH, retries, 0, maxRetries, "{}", Map.of());
    }

    /** Its cause can't be asked for. */
    private static final class UnreadableError extends Error {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable getCause() {
            throw new IllegalStateException("unreadable");
        }
    }
}
