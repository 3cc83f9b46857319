package dev.sweep.worker;

import dev.sweep.Due;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Cancellation;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.Failure;
import dev.sweep.spi.Snooze;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How one attempt ended in this process: what the completer has to make durable. */
sealed interface Ending {

    /** The verb of the store that records an ending. */
    enum Verb {
        COMPLETE,
        FAIL,
        SNOOZE,
        CANCEL,
        RELEASE,
        LOSE,
        /** The store has decided already. */
        NONE
    }

    ClaimedTask task();

    Verb verb();

    /** How long its slot waits before it says so. */
    default Duration pause() {
        return Duration.ZERO;
    }

    default Attempt attempt() {
        return task().attempt();
    }

    record Completed(ClaimedTask task, Completion completion) implements Ending {
        @Override
        public Verb verb() {
            return Verb.COMPLETE;
        }
    }

    /**
     * The handler threw, or reported a failure.
     *
     * @param isSubstitute whether it stands for an outcome that could not be stored
     */
    record Failed(ClaimedTask task, Failure failure, boolean isSubstitute) implements Ending {

        /** The least that can be said of an outcome that could not be stored. */
        static Failed substituteFor(Ending ending, @Nullable Due retry, ErrorText why) {
            String message = "the outcome could not be stored: " + why.message();
            Failure failure = new Failure(ending.attempt(), Duration.ZERO, retry, why.errorClass(), message);
            return new Failed(ending.task(), failure, true);
        }

        @Override
        public Verb verb() {
            return Verb.FAIL;
        }
    }

    record Snoozed(ClaimedTask task, Snooze snooze) implements Ending {
        @Override
        public Verb verb() {
            return Verb.SNOOZE;
        }
    }

    /** The handler said that the task is no longer wanted. */
    record Cancelled(ClaimedTask task, Cancellation cancellation) implements Ending {
        @Override
        public Verb verb() {
            return Verb.CANCEL;
        }
    }

    /**
     * Not started, stopped by the worker, or not served by the store: the task goes back as it was.
     *
     * @param pause how long its slot waits first
     */
    record Released(ClaimedTask task, Duration pause) implements Ending {

        Released(ClaimedTask task) {
            this(task, Duration.ZERO);
        }

        @Override
        public Verb verb() {
            return Verb.RELEASE;
        }
    }

    /**
     * It lost its right while it ran, or its transaction: it is taken back with one more loss, as a reclaim would, if it is
     * still there.
     */
    record Lost(ClaimedTask task) implements Ending {
        @Override
        public Verb verb() {
            return Verb.LOSE;
        }
    }

    /** Nobody knows whether its transaction was committed. Taken back like one that is lost, if it is still there. */
    record InDoubt(ClaimedTask task) implements Ending {
        @Override
        public Verb verb() {
            return Verb.LOSE;
        }
    }

    /**
     * Decided in the handler's own transaction.
     *
     * @param isAccepted whether it was committed; else the attempt no longer held its task
     */
    record Decided(ClaimedTask task, boolean isAccepted) implements Ending {
        @Override
        public Verb verb() {
            return Verb.NONE;
        }
    }
}
