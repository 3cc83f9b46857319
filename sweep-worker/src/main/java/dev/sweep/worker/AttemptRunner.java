package dev.sweep.worker;

import dev.sweep.Outcome;
import dev.sweep.StoreUnavailableException;
import dev.sweep.Sweep;
import dev.sweep.SweepException;
import dev.sweep.TransactionConflictException;
import dev.sweep.TransactionLostException;
import dev.sweep.event.TaskEvent.AttemptFailed;
import dev.sweep.event.TaskEvent.AttemptGivenUp;
import dev.sweep.event.TaskEvent.AttemptSnoozed;
import dev.sweep.event.TaskEvent.AttemptStarted;
import dev.sweep.event.TaskEvent.AttemptSucceeded;
import dev.sweep.event.TaskEvent.TaskFailed;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.Failure;
import dev.sweep.spi.Snooze;
import dev.sweep.spi.TransactionalStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one attempt on the calling thread: reads the payload, calls the handler, and turns what it returns or throws,
 * whatever that is, into an {@link Ending}. Thread-safe.
 */
final class AttemptRunner {

    private static final Pace OUTAGE_PACE = new Pace(Duration.ofMillis(200), Duration.ofSeconds(5));

    private final Sweep sweep;
    private final HandlerRegistry handlers;
    private final RetryRule retryRule;
    private final EventPublisher events;
    private final Consumer<VirtualMachineError> onFatalError;
    /** In a row. */
    private final AtomicInteger faultsOfStore = new AtomicInteger();

    AttemptRunner(
            Sweep sweep,
            HandlerRegistry handlers,
            RetryRule retryRule,
            EventPublisher events,
            Consumer<VirtualMachineError> onFatalError) {
        this.sweep = sweep;
        this.handlers = handlers;
        this.retryRule = retryRule;
        this.events = events;
        this.onFatalError = onFatalError;
    }

    Ending run(HeldAttempt held) {
        StopWatch watch = StopWatch.started();
        try {
            events.publish(new AttemptStarted(events.worker(), held.run()));
            return runWith(handlers.handlerOf(held.task().type()), held, watch);
        } catch (Throwable thrown) {
            held.endHandler();
            watch.stop();
            tellIfFatal(thrown);
            if (held.isLost()) {
                // Not its own failure: we interrupted it, or it ran on without its right. Its lease is left to lapse.
                return new Ending.Decided(held.task(), false);
            }
            return held.isStopped() ? new Ending.Released(held.task()) : failed(held, watch.time(), thrown, null);
        }
    }

    private <P> Ending runWith(RegisteredHandler<P> registered, HeldAttempt held, StopWatch watch) throws Exception {
        P payload =
                sweep.codec().decode(held.task().payload(), registered.type().payloadClass());
        if (registered instanceof RegisteredHandler.Transactional<P> transactional) {
            return runInTransaction(transactional, payload, held, watch);
        }
        return runPlain((RegisteredHandler.Plain<P>) registered, payload, held, watch);
    }

    private <P> Ending runPlain(RegisteredHandler.Plain<P> registered, P payload, HeldAttempt held, StopWatch watch)
            throws Exception {
        @Nullable Outcome outcome = registered.handler().handle(payload, new AttemptContext(held.task()));
        held.endHandler();
        return endingOf(outcome, held, watch.stop());
    }

    private <P> Ending runInTransaction(
            RegisteredHandler.Transactional<P> registered, P payload, HeldAttempt held, StopWatch watch)
            throws Exception {
        ClaimedTask task = held.task();
        AtomicReference<@Nullable Throwable> thrownByHandler = new AtomicReference<>();
        boolean isAccepted;
        try {
            isAccepted = ((TransactionalStore) sweep.store()).completeInTransaction(task, connection -> {
                held.cutWith(() -> abort(connection));
                try {
                    registered.handler().handle(payload, new TransactionalAttemptContext(task, sweep, connection));
                } catch (Throwable thrown) {
                    thrownByHandler.set(thrown);
                    throw thrown;
                }
                held.endHandler();
                return watch.stop();
            });
        } catch (StoreUnavailableException | TransactionConflictException away) {
            if (away == thrownByHandler.get() || held.isLost()) {
                throw away;
            }
            return givenUp(held, away);
        }
        faultsOfStore.set(0);
        if (isAccepted) {
            events.publish(new AttemptSucceeded(events.worker(), held.run(), watch.time()));
        }
        return new Ending.Decided(task, isAccepted);
    }

    /** The store's fault, not the handler's: costs no retry. The pause keeps an outage from being hammered. */
    private Ending givenUp(HeldAttempt held, SweepException away) {
        held.endHandler();
        events.publish(new AttemptGivenUp(events.worker(), held.run(), away));
        return away instanceof TransactionLostException
                ? new Ending.Decided(held.task(), false)
                : new Ending.Released(held.task(), OUTAGE_PACE.delayAfter(faultsOfStore.incrementAndGet()));
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException ended) {
            // The handler has returned, or its connection is gone.
        }
    }

    private Ending endingOf(@Nullable Outcome outcome, HeldAttempt held, Duration runTime) {
        if (outcome instanceof Outcome.Complete) {
            events.publish(new AttemptSucceeded(events.worker(), held.run(), runTime));
            return new Ending.Completed(held.task(), new Completion(held.attempt(), runTime));
        }
        if (outcome instanceof Outcome.Snooze snooze) {
            events.publish(new AttemptSnoozed(events.worker(), held.run(), snooze.delay()));
            return new Ending.Snoozed(held.task(), new Snooze(held.attempt(), snooze.delay()));
        }
        if (outcome instanceof Outcome.Retry retry) {
            return failed(held, runTime, new ReportedFailure(Outcome.Retry.class, retry.reason()), retry.after());
        }
        if (outcome instanceof Outcome.Fail fail) {
            return failedForGood(held, runTime, new ReportedFailure(Outcome.Fail.class, fail.reason()));
        }
        return failed(
                held,
                runTime,
                new NullPointerException("the handler of type " + held.task().type()
                        + " returned null; return an Outcome, such as Outcome.complete()"),
                null);
    }

    private Ending failed(HeldAttempt held, Duration runTime, Throwable cause, @Nullable Duration asked) {
        @Nullable Duration retryIn = retryRule.retryIn(held.task(), asked);
        if (retryIn == null) {
            return failedForGood(held, runTime, cause);
        }
        events.publish(new AttemptFailed(events.worker(), held.run(), runTime, retryIn, cause));
        return ending(held, runTime, retryIn, cause);
    }

    private Ending failedForGood(HeldAttempt held, Duration runTime, Throwable cause) {
        events.publish(new TaskFailed(events.worker(), held.run(), runTime, cause));
        return ending(held, runTime, null, cause);
    }

    private static Ending ending(HeldAttempt held, Duration runTime, @Nullable Duration retryIn, Throwable cause) {
        ErrorText error = ErrorText.of(cause);
        return new Ending.Failed(
                held.task(), new Failure(held.attempt(), runTime, retryIn, error.errorClass(), error.message()), false);
    }

    private void tellIfFatal(Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal && !(thrown instanceof StackOverflowError)) {
            onFatalError.accept(fatal);
        }
    }
}
