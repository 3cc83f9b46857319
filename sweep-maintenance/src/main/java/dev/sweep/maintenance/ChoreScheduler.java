package dev.sweep.maintenance;

import dev.sweep.maintenance.MaintenanceEvent.LeadLost;
import dev.sweep.maintenance.MaintenanceEvent.LeadTaken;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps or awaits the lead on one thread, and runs the chores that are due on others: one after the other, but that one which
 * takes longer than its budget is overtaken. So a chore that hangs holds up neither the others nor the lead.
 */
final class ChoreScheduler {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sweep.maintenance");

    private static final int RENEWALS_PER_LEASE = 3;
    private static final int LOOKS_PER_LEASE = 2;
    private static final FailurePace OUTAGE_PACE = new FailurePace(Duration.ofSeconds(1), Duration.ofSeconds(30));
    /** For the last statement of a run that was asked to end. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final MaintenanceConfig config;
    private final Leadership leadership;
    private final RetentionChoice choice;
    private final ChoreBook book;
    private final ChoreRunner runner;
    private final Map<String, ScheduledChore> chores;
    private final Map<String, Run> running = new ConcurrentHashMap<>();
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread;
    private volatile boolean isStopping;
    private volatile boolean isLeading;
    private volatile @Nullable String fault;
    private long heldNanos;
    private int faults;

    /** A run under way. */
    private record Run(Thread thread, long beganNanos) {}

    ChoreScheduler(
            MaintenanceConfig config,
            Leadership leadership,
            RetentionChoice choice,
            ChoreBook book,
            ChoreRunner runner) {
        this.config = config;
        this.leadership = leadership;
        this.choice = choice;
        this.book = book;
        this.runner = runner;
        this.chores = config.chores().stream().collect(Collectors.toMap(ScheduledChore::name, Function.identity()));
        this.thread = daemon(this::run, config.name());
    }

    void start() {
        thread.start();
    }

    MaintenanceHealth health() {
        return new MaintenanceHealth(
                config.name(),
                isLeading && leadership.isHeld(),
                List.copyOf(new TreeSet<>(running.keySet())),
                Optional.ofNullable(fault));
    }

    /** Ends within the stop timeout and two seconds, whatever the chores and the database do. */
    void stop() throws InterruptedException {
        isStopping = true;
        wake.release();
        long end = System.nanoTime() + config.stopTimeout().toNanos();
        for (Run run : running.values()) {
            join(run.thread(), end);
        }
        running.values().forEach(run -> run.thread().interrupt());
        join(thread, Math.max(end, System.nanoTime() + GRACE.toNanos()));
    }

    private static void join(Thread thread, long endNanos) throws InterruptedException {
        thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime())));
    }

    private void run() {
        while (!isStopping) {
            pause(turn());
        }
        awaitRuns();
        letGo();
    }

    private Duration turn() {
        try {
            Duration wait = lead();
            if (faults > 0) {
                LOG.info("{} reaches the database again", config.name());
            }
            faults = 0;
            hindrance().filter(text -> !text.equals(fault)).ifPresent(this::tellOf);
            fault = hindrance().orElse(null);
            return wait;
        } catch (Throwable thrown) {
            fault = ErrorText.of(thrown);
            if (faults++ == 0) {
                LOG.warn("{} can't work now and tries again: {}", config.name(), fault);
            }
            return OUTAGE_PACE.delayAfter(faults);
        }
    }

    private Optional<String> hindrance() {
        return leadership
                .hindrance()
                .map(text -> choice.isPending() ? text + "; the retention that it was given is not kept" : text);
    }

    private void tellOf(String hindrance) {
        if (choice.isPending()) {
            LOG.warn("{} leaves the work to others: {}", config.name(), hindrance);
        } else {
            LOG.info("{} leaves the work to others: {}", config.name(), hindrance);
        }
    }

    /** Returns how long nothing is to do. */
    private Duration lead() {
        boolean holds = holds();
        if (leadership.hindrance().isEmpty()) {
            // Also while another leads, which must not delete what this one was told to keep; and before any chore of
            // its own.
            choice.store();
        }
        if (!holds) {
            return Jitter.around(config.leaseDuration().dividedBy(LOOKS_PER_LEASE));
        }
        Duration renewal = config.leaseDuration().dividedBy(RENEWALS_PER_LEASE);
        Duration next = startDue();
        return next.compareTo(renewal) < 0 ? next : Jitter.around(renewal);
    }

    private boolean holds() {
        Duration renewal = config.leaseDuration().dividedBy(RENEWALS_PER_LEASE);
        if (isLeading && leadership.isHeld() && System.nanoTime() - heldNanos < renewal.toNanos()) {
            return true;
        }
        boolean wasLeading = isLeading;
        heldNanos = System.nanoTime();
        isLeading = leadership.hold();
        if (isLeading && !wasLeading) {
            book.enlist(chores.keySet());
            LOG.info("{} leads", config.name());
            config.events().publish(new LeadTaken(config.name()));
        } else if (!isLeading && wasLeading) {
            LOG.info("{} leads no more", config.name());
            config.events().publish(new LeadLost(config.name()));
        }
        return isLeading;
    }

    private Duration startDue() {
        Duration untilFree = untilFree();
        if (!untilFree.isZero()) {
            return untilFree;
        }
        List<ScheduledChore> idle = chores.values().stream()
                .filter(chore -> !running.containsKey(chore.name()))
                .toList();
        Optional<ChoreBook.Due> soonest = agenda(idle).stream().findFirst();
        if (soonest.isEmpty()) {
            return config.leaseDuration();
        }
        Duration in = soonest.get().in();
        if (in.isNegative() || in.isZero()) {
            begin(chores.get(soonest.get().name()));
            return untilFree();
        }
        return in;
    }

    /** Rows that vanished under a leader, as after a restore of some tables, are made anew: else those chores never run. */
    private List<ChoreBook.Due> agenda(List<ScheduledChore> idle) {
        List<ChoreBook.Due> agenda = book.agenda(idle);
        if (agenda.size() == idle.size()) {
            return agenda;
        }
        book.enlist(idle.stream().map(ScheduledChore::name).toList());
        return book.agenda(idle);
    }

    /** How long the youngest run may go on alone; zero: there is none, or it has had its time. */
    private Duration untilFree() {
        long now = System.nanoTime();
        long alone = config.budget().plus(GRACE).toNanos();
        return running.values().stream()
                .map(run -> Duration.ofNanos(Math.max(0, alone - (now - run.beganNanos()))))
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    private void begin(@Nullable ScheduledChore chore) {
        if (chore == null) {
            return;
        }
        Thread own = daemon(() -> runOnce(chore), config.name() + "-" + chore.name());
        running.put(chore.name(), new Run(own, System.nanoTime()));
        own.start();
    }

    private void runOnce(ScheduledChore chore) {
        try {
            runner.run(chore, leadership::confirm, () -> isStopping || !leadership.isHeld());
        } catch (RuntimeException unreachable) {
            // The scheduler's own thread meets it too, and tells.
            LOG.debug("chore {} could not begin: {}", chore.name(), ErrorText.of(unreachable));
            pauseRun();
        } finally {
            running.remove(chore.name());
            wake.release();
        }
    }

    /** Else a chore that can't begin would be begun again at once. */
    private void pauseRun() {
        long end = System.nanoTime() + OUTAGE_PACE.first().toNanos();
        while (!isStopping
                && System.nanoTime() - end < 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    private void awaitRuns() {
        try {
            long end = System.nanoTime() + config.stopTimeout().toNanos();
            for (Run run : running.values()) {
                join(run.thread(), end);
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void letGo() {
        isLeading = false;
        try {
            leadership.release();
        } catch (RuntimeException unreachable) {
            LOG.debug("the lead was not released and lapses: {}", ErrorText.of(unreachable));
        }
    }

    private void pause(Duration wait) {
        try {
            if (wake.tryAcquire(Math.max(1, wait.toMillis()), TimeUnit.MILLISECONDS)) {
                wake.drainPermits();
            }
        } catch (InterruptedException stray) {
            Thread.interrupted();
        }
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, "sweep-" + name);
        thread.setDaemon(true);
        return thread;
    }
}
