package dev.sweep.maintenance;

import dev.sweep.StoreException;
import dev.sweep.jooq.JooqTaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * API: keeps the database of a task queue in shape. Start one in every process, or in some: one of them leads at a time, and
 * another takes over if it vanishes. Only one whose role has the rights of the owner of the schema's tables ever leads; on
 * any other it waits, and {@link #health} says so. Thread-safe. All its threads are daemons.
 *
 * <p>It needs one connection now and then for the lead, one for each chore under way (as a rule one chore is; one that takes
 * longer than its budget is overtaken by the next) and a second one while retention takes partitions away. Close it before
 * its store, which it does not close.
 */
public final class MaintenanceService implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sweep.maintenance");

    private enum State {
        NEW,
        STARTED,
        CLOSED
    }

    private final JooqTaskStore store;
    private final MaintenanceConfig config;
    private final Leadership leadership;
    private final RetentionChoice choice;
    private final ChoreBook book;
    private final ChoreRunner runner;
    private final ChoreScheduler scheduler;
    private volatile State state = State.NEW;

    MaintenanceService(JooqTaskStore store, MaintenanceConfig config, ChosenRetention chosen) {
        this.store = store;
        this.config = config;
        MaintenanceStatements statements = new MaintenanceStatements(store.database());
        this.book = new ChoreBook(store.database(), statements);
        this.runner = new ChoreRunner(store, book, config.budget(), config.events());
        this.leadership = new Leadership(store.database(), statements, config.name(), config.leaseDuration());
        this.choice = new RetentionChoice(store.database(), chosen);
        this.scheduler = new ChoreScheduler(config, leadership, choice, book, runner);
    }

    /** A service on the database of this store. */
    public static MaintenanceBuilder builder(JooqTaskStore store) {
        return new MaintenanceBuilder(store);
    }

    /**
     * Checks the store, then maintains it until it is closed: while it leads. On a replica, or a server that is read-only, it
     * waits. What it was told of the retention is kept before its first chore; on such a server, once it can be. Whoever leads, partitions are created ahead once now: every process may have slept for long.
     *
     * @throws dev.sweep.SchemaException if the schema is missing or doesn't fit; the message says what to do
     * @throws dev.sweep.StoreUnavailableException if the store can't be reached
     * @throws IllegalStateException if it was started or closed before
     */
    public void start() {
        refuseUnless(State.NEW);
        store.verify();
        synchronized (this) {
            refuseUnless(State.NEW);
            state = State.STARTED;
            scheduler.start();
            config.chores().stream()
                    .map(ScheduledChore::chore)
                    .filter(PartitionCare.class::isInstance)
                    .map(PartitionCare.class::cast)
                    .forEach(this::createAhead);
        }
    }

    private void createAhead(PartitionCare care) {
        Thread ahead = new Thread(
                () -> {
                    try {
                        care.createAhead(store);
                    } catch (RuntimeException unable) {
                        LOG.debug("no partitions were created at the start: {}", ErrorText.of(unable));
                    }
                },
                "sweep-" + config.name() + "-ahead");
        ahead.setDaemon(true);
        ahead.start();
    }

    /**
     * Runs every chore now, one after the other, each until nothing is left to do; on this thread, also beside a leader. A
     * chore that fails stops no other. Ends early if this is closed, or the thread is interrupted.
     *
     * @return a report per chore, in the order they ran
     * @throws dev.sweep.SchemaException if the schema is missing or doesn't fit
     * @throws dev.sweep.StoreUnavailableException if the store can't be reached, or is read-only
     * @throws StoreException if the role may not do this
     */
    public List<ChoreReport> runOnce() {
        store.verify();
        storeChoice();
        book.enlist(config.chores().stream().map(ScheduledChore::name).toList());
        List<ChoreReport> reports = new ArrayList<>();
        for (ScheduledChore chore : config.chores()) {
            if (!isOver()) {
                reports.add(runAll(chore));
            }
        }
        return reports;
    }

    private void storeChoice() {
        try {
            choice.store();
        } catch (StoreException refused) {
            throw leadership
                    .findHindrance()
                    .map(text -> new StoreException("the retention can't be kept: " + text, refused))
                    .orElse(refused);
        }
    }

    /** How the chores do, by name, as any process recorded it; one read. Chores that never ran anywhere may be missing. */
    public List<ChoreState> chores() {
        return book.states();
    }

    /** What holds now, whoever set it, and the defaults for what nobody has set; one read. */
    public Retention retention() {
        return RetentionPolicy.STORED.of(store.database());
    }

    /** What it knows about itself now; no round trip. */
    public MaintenanceHealth health() {
        return scheduler.health();
    }

    /**
     * Stops: chores under way end after their present transaction, and another process may lead at once. Returns within the
     * stop timeout and two seconds, whatever the database does; a statement that takes longer goes on there, harmlessly.
     */
    @Override
    public void close() {
        boolean wasStarted;
        synchronized (this) {
            wasStarted = state == State.STARTED;
            state = State.CLOSED;
        }
        if (wasStarted) {
            stop();
        }
    }

    private void stop() {
        try {
            scheduler.stop();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private ChoreReport runAll(ScheduledChore chore) {
        int runs = 0;
        long rows = 0;
        Duration took = Duration.ZERO;
        ChoreRun last;
        do {
            last = runner.run(chore, sql -> true, this::isOver).orElseThrow();
            runs++;
            rows += last.rows();
            took = took.plus(last.took());
        } while (last.hasMore() && !isOver());
        Optional<String> note = last.result().flatMap(ChoreResult::note);
        return new ChoreReport(chore.name(), runs, rows, took, note, last.error());
    }

    private boolean isOver() {
        return state == State.CLOSED || Thread.currentThread().isInterrupted();
    }

    private void refuseUnless(State expected) {
        if (state != expected) {
            throw new IllegalStateException("maintenance " + config.name() + " was "
                    + (state == State.CLOSED ? "closed" : "started") + " before; build a new one");
        }
    }
}
