package dev.sweep.worker;

import dev.sweep.Due;
import dev.sweep.event.TaskEvent;
import dev.sweep.event.TaskEvent.AttemptFailed;
import dev.sweep.event.TaskEvent.AttemptGivenUp;
import dev.sweep.event.TaskEvent.AttemptInterrupted;
import dev.sweep.event.TaskEvent.AttemptStuck;
import dev.sweep.event.TaskEvent.AttemptTimedOut;
import dev.sweep.event.TaskEvent.ConnectionsScarce;
import dev.sweep.event.TaskEvent.LoopFailed;
import dev.sweep.event.TaskEvent.LoopRecovered;
import dev.sweep.event.TaskEvent.OrphansRemoved;
import dev.sweep.event.TaskEvent.OutcomeRefused;
import dev.sweep.event.TaskEvent.OutcomeUnstorable;
import dev.sweep.event.TaskEvent.Run;
import dev.sweep.event.TaskEvent.TaskFailed;
import dev.sweep.event.TaskEvent.TasksReclaimed;
import dev.sweep.event.TaskEvent.WorkerDown;
import dev.sweep.event.TaskEvent.WorkerStarted;
import dev.sweep.event.TaskEvent.WorkerStopped;
import dev.sweep.event.TaskEventListener;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * API: writes events to SLF4J, logger {@code dev.sweep.worker}. ERROR: a person must act. WARN: degraded but handled, told
 * once. INFO: start, stop, reclaimed tasks. DEBUG: every task. Never a payload. Thread-safe.
 */
public final class LoggingListener implements TaskEventListener {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sweep.worker");

    private final AtomicBoolean hasWarnedOfRefusal = new AtomicBoolean();
    private final AtomicBoolean hasWarnedOfInterrupt = new AtomicBoolean();
    private final AtomicBoolean hasWarnedOfGivenUp = new AtomicBoolean();
    private final AtomicBoolean hasWarnedOfTimeout = new AtomicBoolean();

    /** What every worker has unless {@link WorkerBuilder#logging} replaces it. */
    public LoggingListener() {}

    @Override
    public void onEvent(TaskEvent event) {
        if (!logError(event) && !logWarning(event) && !logInfo(event) && LOG.isDebugEnabled()) {
            logDebug(event);
        }
    }

    private static boolean logError(TaskEvent event) {
        if (event instanceof TaskFailed e) {
            LOG.error(
                    "{} has failed for good: {}",
                    name(e.run()),
                    ErrorText.oneLine(e.cause()),
                    ErrorText.printable(e.cause()));
        } else if (event instanceof OutcomeUnstorable e) {
            LOG.error("the outcome of task {} can't be stored: {}", e.id(), ErrorText.oneLine(e.cause()));
        } else if (event instanceof OrphansRemoved e) {
            LOG.error("queue entries without a task were removed; their ids: {}", e.ids());
        } else if (event instanceof WorkerDown e) {
            LOG.error(
                    "worker {} has stopped claiming, start a new process: {}",
                    e.worker(),
                    ErrorText.oneLine(e.cause()),
                    ErrorText.printable(e.cause()));
        } else {
            return false;
        }
        return true;
    }

    private boolean logWarning(TaskEvent event) {
        if (event instanceof LoopFailed e) {
            LOG.warn(
                    "the {} of worker {} met a fault and tries again: {}",
                    e.loop(),
                    e.worker(),
                    ErrorText.oneLine(e.cause()));
        } else if (event instanceof AttemptInterrupted e && hasWarnedOfInterrupt.compareAndSet(false, true)) {
            LOG.warn(
                    "{} no longer held its task and was interrupted; if tasks are not being cancelled, raise"
                            + " leaseDuration or heartbeat sooner; more of these are logged at DEBUG",
                    name(e.run()));
        } else if (event instanceof AttemptStuck e) {
            LOG.warn(
                    "{} has been running for {} s and may hang; give its type a timeout, which ends such an attempt",
                    name(e.run()),
                    e.runningFor().toSeconds());
        } else if (event instanceof AttemptTimedOut e && hasWarnedOfTimeout.compareAndSet(false, true)) {
            LOG.warn(
                    "{} ran longer than its timeout of {} and has failed; more of these are logged at DEBUG",
                    name(e.run()),
                    e.timeout());
        } else if (event instanceof AttemptGivenUp e && hasWarnedOfGivenUp.compareAndSet(false, true)) {
            LOG.warn(
                    "the store could not serve the transaction of {}, which runs again: {}; more of these are logged at"
                            + " DEBUG",
                    name(e.run()),
                    ErrorText.oneLine(e.cause()));
        } else if (event instanceof ConnectionsScarce e) {
            LOG.warn(
                    "the slots of worker {} may have to wait for a connection: its pool has at most {}, {} would do if"
                            + " nothing else uses it; raise maximumPoolSize, or have fewer slots",
                    e.worker(),
                    e.connections(),
                    e.needed());
        } else if (event instanceof OutcomeRefused e && hasWarnedOfRefusal.compareAndSet(false, true)) {
            LOG.warn(
                    "the outcome of task {} was discarded: its attempt no longer held it; if tasks are not being"
                            + " cancelled, raise leaseDuration or heartbeat sooner; more of these are logged at DEBUG",
                    e.id());
        } else {
            return false;
        }
        return true;
    }

    private static boolean logInfo(TaskEvent event) {
        if (event instanceof WorkerStarted e) {
            LOG.info("worker {} started: queues {}, types {}", e.worker(), e.queues(), e.types());
        } else if (event instanceof WorkerStopped e) {
            LOG.info(
                    "worker {} stopped: {} tasks handed back, {} attempts abandoned",
                    e.worker(),
                    e.released(),
                    e.abandoned());
        } else if (event instanceof LoopRecovered e) {
            LOG.info("the {} of worker {} works again", e.loop(), e.worker());
        } else if (event instanceof TasksReclaimed e) {
            LOG.info(
                    "{} tasks of lost workers wait again, {} were lost once too often and have failed: {}",
                    e.returned().size(),
                    e.failed().size(),
                    e.failed());
        } else {
            return false;
        }
        return true;
    }

    private static void logDebug(TaskEvent event) {
        if (event instanceof AttemptFailed e) {
            LOG.debug(
                    "{} failed and is retried {}: {}",
                    name(e.run()),
                    when(e.retry()),
                    ErrorText.oneLine(e.cause()),
                    ErrorText.printable(e.cause()));
        } else {
            LOG.debug("{}", event);
        }
    }

    private static String when(Due due) {
        return due instanceof Due.In in ? "in " + in.delay() : "at " + ((Due.At) due).instant();
    }

    private static String name(Run run) {
        return "task " + run.id() + " (type " + run.type() + ", queue " + run.queue() + ", attempt " + run.attempt()
                + ")";
    }
}
