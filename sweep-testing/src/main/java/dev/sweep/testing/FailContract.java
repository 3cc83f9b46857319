package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.sweep.Due;
import dev.sweep.Task;
import dev.sweep.TaskStatus;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a failed attempt costs, and what is kept of its error. */
abstract class FailContract extends ContractPart {

    @Test
    void failedAttemptWaitsForItsRetryFromNowOn() {
        ClaimedTask claimed = running(mail().dueAt(LONG_AGO));

        assertThat(retry(claimed, Duration.ofHours(1), "no route")).containsExactly(claimed.attempt());

        Task task = find(claimed.id());
        assertThat(task.status()).isEqualTo(TaskStatus.PENDING);
        assertThat(task.retryCount()).isEqualTo(1);
        assertThat(task.losses()).isZero();
        assertThat(task.error()).contains("no route");
        assertThat(task.finishedAt()).isEmpty();
        assertThat(task.dueAt())
                .isBetween(
                        task.createdAt().plus(Duration.ofMinutes(50)),
                        task.createdAt().plus(Duration.ofMinutes(70)));
        assertThat(claim().tasks()).isEmpty();
    }

    @Test
    void retryIsClaimedOnceItIsDueAsTheNextAttempt() {
        Duration delay = Duration.ofMillis(20);
        ClaimedTask first = running(mail());
        assertThat(first.attemptNumber()).isEqualTo(1);
        retry(first, delay, "once");
        passTime(delay);

        ClaimedTask second =
                eventually(() -> claim().tasks(), tasks -> !tasks.isEmpty()).get(0);

        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.retries()).isEqualTo(1);
        assertThat(second.attemptNumber()).isEqualTo(2);
        assertThat(second.attempt().lease()).isGreaterThan(first.attempt().lease());
        assertThat(second.dueAt()).isAfter(first.dueAt());
    }

    @Test
    void failureWithoutRetryIsFinalAndCostsNone() {
        ClaimedTask claimed = running(mail());

        assertThat(failForGood(claimed, "never")).containsExactly(claimed.attempt());

        Task task = find(claimed.id());
        assertThat(task.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(task.retryCount()).isZero();
        assertThat(task.error()).contains("never");
        assertThat(task.startedAt()).isPresent();
        assertThat(task.finishedAt()).isPresent();
        assertThat(claim().lostRoom(1).tasks()).isEmpty();
    }

    @Test
    void retriesAreCountedUpToTheirLimit() {
        ClaimedTask attempt = running(MAIL.maxRetries(2).with(mail().payload()));
        for (int retries = 0; retries < 2; retries++) {
            assertThat(attempt.retries()).isEqualTo(retries);
            retry(attempt, Duration.ZERO, "failure " + (retries + 1));
            attempt = claimOne();
        }

        failForGood(attempt, "failure 3");

        Task task = find(attempt.id());
        assertThat(attempt.attemptNumber()).isEqualTo(3);
        assertThat(task.status()).isEqualTo(TaskStatus.FAILED);
        assertThat(task.retryCount()).isEqualTo(2).isEqualTo(task.maxRetries());
        assertThat(task.error()).contains("failure 3");
    }

    @Test
    void errorOfTheLastFailureStaysAfterSuccess() {
        ClaimedTask first = running(mail());
        retry(first, Duration.ZERO, "first");
        ClaimedTask second = claimOne();
        retry(second, Duration.ZERO, "second");
        complete(claimOne());

        Task task = find(first.id());
        assertThat(task.status()).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(task.retryCount()).isEqualTo(2);
        assertThat(task.error()).contains("second");
    }

    @Test
    void nothingInIsNothingOut() {
        assertThat(store().fail(List.of())).isEmpty();
    }

    @Test
    void oneCallMixesRetriesFinalFailuresAndUnknownAttempts() {
        enqueued(3, mail());
        List<ClaimedTask> tasks = claim().tasks();
        Attempt unknown =
                new Attempt(tasks.get(0).attempt().lease() + 1_000, tasks.get(0).id());

        assertThat(store().fail(List.of(
                        failure(tasks.get(2).attempt(), null),
                        failure(unknown, null),
                        failure(tasks.get(1).attempt(), Duration.ofHours(1)))))
                .containsExactlyInAnyOrder(tasks.get(1).attempt(), tasks.get(2).attempt());

        assertThat(status(tasks.get(0).id())).isEqualTo(TaskStatus.PROCESSING);
        assertThat(status(tasks.get(1).id())).isEqualTo(TaskStatus.PENDING);
        assertThat(status(tasks.get(2).id())).isEqualTo(TaskStatus.FAILED);
    }

    @Test
    void attemptThatHasEndedCanNotFail() {
        ClaimedTask completed = running(mail());
        complete(completed);
        ClaimedTask retried = running(mail());
        retry(retried, Duration.ofHours(1), "first");

        assertThat(failForGood(completed, "too late")).isEmpty();
        assertThat(retry(retried, Duration.ZERO, "too late")).isEmpty();

        assertThat(status(completed.id())).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(find(retried.id()).retryCount()).isEqualTo(1);
        assertThat(find(retried.id()).error()).contains("first");
    }

    @Test
    void sameAttemptTwiceInOneCallCostsOneRetry() {
        ClaimedTask task = running(mail());

        assertThat(store().fail(List.of(
                        failure(task.attempt(), Duration.ofHours(1)), failure(task.attempt(), Duration.ofHours(1)))))
                .containsExactly(task.attempt());
        assertThat(find(task.id()).retryCount()).isEqualTo(1);
    }

    @Test
    void messageWithWhatTextCanNotHoldIsKeptWithoutIt() {
        ClaimedTask task = running(mail());

        assertThat(failForGood(task, "bad\0byte, half \ud83d of a pair, other \ude80 half, whole \ud83d\ude80"))
                .containsExactly(task.attempt());

        assertThat(find(task.id()).error())
                .get(STRING)
                .doesNotContain("\0")
                .startsWith("bad")
                .contains("byte, half ", " of a pair, other ", " half, whole \ud83d\ude80");
    }

    @Test
    void errorClassWithWhatTextCanNotHoldFailsNothing() {
        ClaimedTask task = running(mail());
        String odd = "x\0\ud83d".repeat(100_000);

        assertThat(store().fail(List.of(Failure.forGood(task.attempt(), RUN_TIME, odd, "message"))))
                .containsExactly(task.attempt());
        assertThat(find(task.id()).error()).contains("message");
    }

    @Test
    void longMessageIsCutAndDelaysNoOther() {
        enqueued(2, mail());
        List<ClaimedTask> tasks = claim().tasks();
        String rockets = "\ud83d\ude80".repeat(500_000);

        assertThat(store().fail(List.of(
                        Failure.forGood(tasks.get(0).attempt(), RUN_TIME, "E", rockets),
                        Failure.forGood(tasks.get(1).attempt(), RUN_TIME, "E", "x" + rockets))))
                .hasSize(2);

        assertThat(find(tasks.get(0).id()).error()).get(STRING).satisfies(FailContract::isCutText);
        assertThat(find(tasks.get(1).id()).error()).get(STRING).startsWith("x").satisfies(FailContract::isCutText);
    }

    @Test
    void emptyMessageIsAnErrorToo() {
        ClaimedTask task = running(mail());
        failForGood(task, "");

        assertThat(status(task.id())).isEqualTo(TaskStatus.FAILED);
        assertThat(find(task.id()).error()).isPresent();
    }

    @Test
    void aRetryCanBeDueAtAnInstant() {
        ClaimedTask past = running(mail());
        ClaimedTask future = running(mail());
        Instant later = LONG_AGO.plus(Duration.ofDays(36_500));

        assertThat(store().fail(List.of(
                        new Failure(past.attempt(), RUN_TIME, Due.at(LONG_AGO), "E", "closed"),
                        new Failure(future.attempt(), RUN_TIME, Due.at(later), "E", "closed"))))
                .hasSize(2);

        assertThat(find(future.id()).dueAt()).isEqualTo(later);
        assertThat(find(future.id()).retryCount()).isEqualTo(1);
        assertThat(claim().tasks()).extracting(ClaimedTask::id).containsExactly(past.id());
    }

    private static void isCutText(String text) {
        assertThat(text).hasSizeBetween(100, 100_000);
        // A pair cut in half would have been replaced, or refused by the store.
        assertThat(text.codePoints().skip(1).limit(text.codePointCount(0, text.length()) - 2L))
                .containsOnly("\ud83d\ude80".codePointAt(0));
        assertThat(text.codePoints()).noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private static Failure failure(Attempt attempt, @Nullable Duration retryIn) {
        @Nullable Due retry = retryIn == null ? null : Due.in(retryIn);
        return new Failure(attempt, RUN_TIME, retry, "java.io.IOException", "broken");
    }
}
