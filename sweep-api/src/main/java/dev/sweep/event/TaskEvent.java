package dev.sweep.event;

import dev.sweep.Due;
import dev.sweep.TaskId;
import java.time.Duration;
import java.util.List;

/**
 * Something a worker did. Events carry ids, names and measurements, never payloads; the table of all of them is in
 * {@code docs/concepts.md}.
 */
public sealed interface TaskEvent {

    /** The worker's name, unique per start. */
    String worker();

    /** A run of one task: what the events about attempts have in common. */
    record Run(TaskId id, String type, String queue, int attempt) {}

    record WorkerStarted(String worker, List<String> queues, List<String> types) implements TaskEvent {

        public WorkerStarted {
            queues = List.copyOf(queues);
            types = List.copyOf(types);
        }
    }

    /** The worker has stopped: {@code released} unstarted tasks went back, {@code abandoned} attempts did not end in time. */
    record WorkerStopped(String worker, int released, int abandoned) implements TaskEvent {}

    /** The pool has too few connections for transactional handlers in all slots at once: some wait for others. */
    record ConnectionsScarce(String worker, int connections, int needed) implements TaskEvent {}

    /** A claim brought tasks; empty claims are not told. */
    record TasksClaimed(String worker, int count, Duration took) implements TaskEvent {}

    /** Queue entries without a task were removed. */
    record OrphansRemoved(String worker, List<TaskId> ids) implements TaskEvent {

        public OrphansRemoved {
            ids = List.copyOf(ids);
        }
    }

    record AttemptStarted(String worker, Run run) implements TaskEvent {}

    /** The handler has done its work; the outcome is durable when {@link OutcomesRecorded} counts it. */
    record AttemptSucceeded(String worker, Run run, Duration runTime) implements TaskEvent {}

    /** The attempt failed and will be followed by another one. */
    record AttemptFailed(String worker, Run run, Duration runTime, Due retry, Throwable cause) implements TaskEvent {}

    /** The attempt failed and so has the task: a dead letter. */
    record TaskFailed(String worker, Run run, Duration runTime, Throwable cause) implements TaskEvent {}

    record AttemptSnoozed(String worker, Run run, Due due) implements TaskEvent {}

    /** The handler says that the task is no longer wanted. */
    record AttemptCancelled(String worker, Run run, Duration runTime) implements TaskEvent {}

    /**
     * The attempt ran longer than its type's timeout: it has failed, its outcome will be refused, and its thread was
     * interrupted. Told beside {@link AttemptFailed} or {@link TaskFailed}.
     */
    record AttemptTimedOut(String worker, Run run, Duration timeout) implements TaskEvent {}

    /** The attempt has been running for so long that it most likely hangs; told once. Give its type a timeout. */
    record AttemptStuck(String worker, Run run, Duration runningFor) implements TaskEvent {}

    /**
     * The answer to the commit of a handler's transaction was lost, so the store had to look. Either it was found committed,
     * or nothing was found out while the lease held: then nothing is recorded, and what was not committed is reclaimed.
     */
    record CommitInDoubt(String worker, List<TaskId> ids, boolean isFoundCommitted) implements TaskEvent {

        public CommitInDoubt {
            ids = List.copyOf(ids);
        }
    }

    /**
     * The store could not serve the attempt's transaction, so it came to nothing. No retry is used: the task goes back, at the
     * cost of a loss if the connection was lost while the handler had it.
     */
    record AttemptGivenUp(String worker, Run run, Throwable cause) implements TaskEvent {}

    /** The attempt no longer held its task, so its outcome was discarded. */
    record OutcomeRefused(String worker, TaskId id) implements TaskEvent {}

    /**
     * The store can't hold an outcome, for a reason that trying again does not mend. It is replaced by a failure that says
     * so; if that can't be stored either, the task is reclaimed when its lease lapses.
     */
    record OutcomeUnstorable(String worker, TaskId id, Throwable cause) implements TaskEvent {}

    /** One flush of the completer is durable. */
    record OutcomesRecorded(String worker, int count, Duration took) implements TaskEvent {}

    /** A running attempt was told to stop, because its lease is gone. */
    record AttemptInterrupted(String worker, Run run) implements TaskEvent {}

    /** Tasks of vanished workers wait again ({@code returned}) or were lost once too often ({@code failed}). */
    record TasksReclaimed(String worker, List<TaskId> returned, List<TaskId> failed) implements TaskEvent {

        public TasksReclaimed {
            returned = List.copyOf(returned);
            failed = List.copyOf(failed);
        }
    }

    /** A loop of the engine met a fault and will try again after {@code retryIn}. */
    record LoopFailed(String worker, String loop, Duration retryIn, Throwable cause) implements TaskEvent {}

    /** A loop that had failed works again. */
    record LoopRecovered(String worker, String loop) implements TaskEvent {}

    /** The worker has stopped claiming because the process is not sound any more; start a new process. */
    record WorkerDown(String worker, Throwable cause) implements TaskEvent {}
}
