package dev.sweep.worker;

import dev.sweep.StoreException;
import dev.sweep.spi.Listening;
import dev.sweep.spi.TaskStore;
import dev.sweep.spi.WakeUp;
import dev.sweep.spi.WakingStore;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Hears of tasks and passes it on, so that nothing waits for the next poll. Apart from all other loops: when it is lost or
 * deaf, tasks are found by polling, and nothing else changes. After each loss it listens anew and then has the claimer look
 * once, for what was announced in the gap.
 */
final class WakeUpListener {

    private static final Pace OUTAGE_PACE = new Pace(Duration.ofMillis(100), Duration.ofSeconds(5));
    /** A turn ends this often, to show that the loop is alive. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private static final Duration SELF_TEST_PATIENCE = Duration.ofSeconds(5);
    /** Between tests of a store whose wake-ups don't arrive. */
    private static final Pace RETEST_PACE = new Pace(Duration.ofMinutes(1), Duration.ofMinutes(10));

    private final TaskStore store;
    private final Claimer claimer;
    private final LeaseKeeper leaseKeeper;
    private final Loop loop;
    private volatile WorkerHealth.WakeUps state = WorkerHealth.WakeUps.CONNECTING;
    private volatile @Nullable Listening listening;
    private @Nullable StoreException deafness;
    private int failedTests;
    private long nextTestNanos;

    WakeUpListener(TaskStore store, Claimer claimer, LeaseKeeper leaseKeeper, EventPublisher events) {
        this.store = store;
        this.claimer = claimer;
        this.leaseKeeper = leaseKeeper;
        this.loop = new Loop("listener", OUTAGE_PACE, events, this::turn);
    }

    Loop loop() {
        return loop;
    }

    WorkerHealth.WakeUps state() {
        return state;
    }

    /** Ends a wait under way, too. */
    void stop() {
        loop.stop();
        closeListening();
    }

    private Duration turn() {
        boolean isWell = false;
        try {
            Listening open = listening == null ? open() : listening;
            if (open == null) {
                become(WorkerHealth.WakeUps.OFF);
            } else {
                open.await(LONGEST_WAIT).forEach(this::pass);
            }
            isWell = true;
            return open == null ? LONGEST_WAIT : Duration.ZERO;
        } finally {
            if (!isWell) {
                closeListening();
                become(deafness == null ? WorkerHealth.WakeUps.CONNECTING : WorkerHealth.WakeUps.NOT_ARRIVING);
            }
        }
    }

    /** Null: there is nothing to listen to. */
    private @Nullable Listening open() {
        if (state == WorkerHealth.WakeUps.OFF || !(store instanceof WakingStore waking)) {
            return null;
        }
        if (deafness != null && System.nanoTime() - nextTestNanos < 0) {
            throw deafness;
        }
        Optional<Listening> opened = waking.listen();
        if (opened.isPresent()) {
            Listening ear = opened.get();
            listening = ear;
            if (loop.isStopping()) {
                ear.close();
            }
            claimer.claimAfresh();
            test(ear);
        }
        return listening;
    }

    private void test(Listening ear) {
        Optional<String> fault = ear.selfTest(SELF_TEST_PATIENCE);
        if (fault.isPresent()) {
            failedTests++;
            nextTestNanos =
                    System.nanoTime() + RETEST_PACE.delayAfter(failedTests).toNanos();
            deafness = new StoreException(fault.get(), null);
            throw deafness;
        }
        failedTests = 0;
        deafness = null;
        become(WorkerHealth.WakeUps.ARRIVING);
    }

    private void become(WorkerHealth.WakeUps next) {
        state = next;
        claimer.relyOnWakeUps(next == WorkerHealth.WakeUps.ARRIVING);
    }

    private void closeListening() {
        Listening open = listening;
        listening = null;
        if (open != null) {
            open.close();
        }
    }

    private void pass(WakeUp wakeUp) {
        if (wakeUp instanceof WakeUp.NewTasks tasks) {
            claimer.hint(Set.of(tasks.queue()));
        } else if (wakeUp instanceof WakeUp.TasksReturned tasks) {
            claimer.hintAfresh(Set.of(tasks.queue()));
        } else if (wakeUp instanceof WakeUp.TasksReturnedAnywhere) {
            claimer.hintAfreshEverywhere();
        } else {
            leaseKeeper.beatSoon();
        }
    }
}
