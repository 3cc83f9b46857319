package dev.sweep.worker;

import dev.sweep.Due;
import dev.sweep.Outcome;
import dev.sweep.Sweep;
import dev.sweep.event.TaskEvent.AttemptCancelled;
import dev.sweep.event.TaskEvent.AttemptFailed;
import dev.sweep.event.TaskEvent.AttemptSnoozed;
import dev.sweep.event.TaskEvent.AttemptSucceeded;
import dev.sweep.event.TaskEvent.AttemptTimedOut;
import dev.sweep.event.TaskEvent.TaskFailed;
import dev.sweep.spi.Cancellation;
import dev.sweep.spi.Completion;
import dev.sweep.spi.Failure;
import dev.sweep.spi.Snooze;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Turns what a handler returned or threw, whatever that is, into an {@link Ending}, and tells of it. Thread-safe. */
final class Judge {

    private final Sweep sweep;
    private final RetryRule retryRule;
    private final EventPublisher events;

    Judge(Sweep sweep, RetryRule retryRule, EventPublisher events) {
        this.sweep = sweep;
        this.retryRule = retryRule;
        this.events = events;
    }

    Ending returned(HeldAttempt held, @Nullable Outcome outcome, Duration runTime) {
        if (outcome instanceof Outcome.Complete complete) {
            return completed(held, complete, runTime);
        }
        if (outcome instanceof Outcome.Snooze snooze) {
            events.publish(new AttemptSnoozed(events.worker(), held.told(), snooze.due()));
            return new Ending.Snoozed(held.task(), new Snooze(held.attempt(), snooze.due()));
        }
        if (outcome instanceof Outcome.Retry retry) {
            ReportedFailure reported = new ReportedFailure(Outcome.Retry.class, retry.reason());
            return failed(held, runTime, reported, retryRule.retryAsAsked(held.task(), reported, retry.due()));
        }
        if (outcome instanceof Outcome.Fail fail) {
            return failed(held, runTime, new ReportedFailure(Outcome.Fail.class, fail.reason()), null);
        }
        if (outcome instanceof Outcome.Cancel cancel) {
            events.publish(new AttemptCancelled(events.worker(), held.told(), runTime));
            return new Ending.Cancelled(held.task(), new Cancellation(held.attempt(), runTime, cancel.reason()));
        }
        return failed(
                held,
                runTime,
                new NullPointerException("the handler of type " + held.task().type()
                        + " returned null; return an Outcome, such as Outcome.complete()"));
    }

    /** Of an attempt that was lost or stopped, what was thrown is not its own failure. */
    Ending threw(HeldAttempt held, Throwable thrown, Duration runTime) {
        if (held.isLost()) {
            // We interrupted it, or it ran on without its right.
            return new Ending.Lost(held.task());
        }
        return held.isStopped() ? new Ending.Released(held.task()) : failed(held, runTime, thrown);
    }

    Ending timedOut(HeldAttempt held, Duration timeout, Duration runTime) {
        events.publish(new AttemptTimedOut(events.worker(), held.told(), timeout));
        return failed(
                held,
                runTime,
                new TimeoutException("the handler of type " + held.task().type() + " ran longer than its timeout of "
                        + timeout + "; make it quicker, or raise the timeout"));
    }

    /** The result is kept or the attempt fails: a result that can't be stored is no success. */
    private Ending completed(HeldAttempt held, Outcome.Complete complete, Duration runTime) {
        Completion completion;
        try {
            completion = completion(held, complete, runTime);
        } catch (RuntimeException | Error unstorable) {
            return failed(held, runTime, unstorable);
        }
        events.publish(new AttemptSucceeded(events.worker(), held.told(), runTime));
        return new Ending.Completed(held.task(), completion);
    }

    /** Throws if the result can't be stored. */
    Completion completion(HeldAttempt held, Outcome.Complete complete, Duration runTime) {
        @Nullable Object result = complete.result();
        @Nullable
        String json = result == null ? null : sweep.encodeResult(held.task().type(), result);
        return new Completion(held.attempt(), runTime, json);
    }

    private Ending failed(HeldAttempt held, Duration runTime, Throwable cause) {
        return failed(held, runTime, cause, retryRule.retryAfter(held.task(), cause));
    }

    private Ending failed(HeldAttempt held, Duration runTime, Throwable cause, @Nullable Due retry) {
        events.publish(
                retry == null
                        ? new TaskFailed(events.worker(), held.told(), runTime, cause)
                        : new AttemptFailed(events.worker(), held.told(), runTime, retry, cause));
        ErrorText error = ErrorText.of(cause);
        return new Ending.Failed(
                held.task(), new Failure(held.attempt(), runTime, retry, error.errorClass(), error.message()), false);
    }
}
