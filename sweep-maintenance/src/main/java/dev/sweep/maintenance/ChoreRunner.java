package dev.sweep.maintenance;

import dev.sweep.StoreException;
import dev.sweep.StoreUnavailableException;
import dev.sweep.SweepException;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.maintenance.MaintenanceEvent.ChoreFailed;
import dev.sweep.maintenance.MaintenanceEvent.ChoreSucceeded;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one chore once, whatever it throws, and has the book say what came of it. Thread-safe. */
final class ChoreRunner {

    private static final Logger LOG = LoggerFactory.getLogger("dev.sweep.maintenance");

    /** Before a chore that has more to do. */
    private static final Duration BREATH = Duration.ofMillis(100);

    private static final String STATEMENT_TIMEOUT = "57014";

    private final JooqTaskStore store;
    private final ChoreBook book;
    private final Duration budget;
    private final MaintenanceEvents events;
    private final Set<String> toldOf = ConcurrentHashMap.newKeySet();

    ChoreRunner(JooqTaskStore store, ChoreBook book, Duration budget, MaintenanceEvents events) {
        this.events = events;
        this.store = store;
        this.book = book;
        this.budget = budget;
    }

    /**
     * Empty: the right was gone before it began.
     *
     * @param isOver whether to end early
     * @throws SweepException if the beginning can't be written, and nothing was done
     */
    Optional<ChoreRun> run(ScheduledChore chore, ChoreBook.Right right, BooleanSupplier isOver) {
        Optional<ChoreBook.Start> start = book.start(chore.name(), right);
        return start.map(from -> run(chore, from, right, isOver));
    }

    private ChoreRun run(ScheduledChore chore, ChoreBook.Start start, ChoreBook.Right right, BooleanSupplier isOver) {
        long began = System.nanoTime();
        BooleanSupplier isTimeUp = () -> System.nanoTime() - began >= budget.toNanos() || isOver.getAsBoolean();
        ChoreRun run;
        try {
            ChoreResult result = chore.chore().run(new Context(store, start.now(), start.position(), isTimeUp));
            boolean hasMovedOn = result.rows() > 0 || !result.position().equals(start.position());
            run = new ChoreRun(since(began), Optional.of(result), Optional.empty(), hasMovedOn);
        } catch (Throwable thrown) {
            tellOfFailure(chore.name(), thrown);
            run = new ChoreRun(since(began), Optional.empty(), Optional.of(ErrorText.of(thrown)), false);
        }
        record(chore, start, run, right);
        events.publish(event(chore.name(), run));
        return run;
    }

    private MaintenanceEvent event(String chore, ChoreRun run) {
        return run.error().isPresent()
                ? new ChoreFailed(events.name(), chore, run.took(), run.error().get())
                : new ChoreSucceeded(events.name(), chore, run.rows(), run.took());
    }

    private void record(ScheduledChore chore, ChoreBook.Start start, ChoreRun run, ChoreBook.Right right) {
        try {
            if (!write(chore, start, run, right)) {
                LOG.info(
                        "chore {} ended after another process took the lead; its {} rows stay uncounted",
                        chore.name(),
                        run.rows());
            }
        } catch (SweepException unwritten) {
            tellOfFailure(chore.name(), unwritten);
        }
    }

    private boolean write(ScheduledChore chore, ChoreBook.Start start, ChoreRun run, ChoreBook.Right right) {
        if (run.result().isEmpty()) {
            return book.failed(chore.name(), run.took(), run.error().orElseThrow(), FailurePace.DEFAULT, right);
        }
        if (toldOf.remove(chore.name())) {
            LOG.info("chore {} succeeds again", chore.name());
        }
        if (run.rows() > 0) {
            LOG.info(
                    "chore {} changed {} rows in {} ms",
                    chore.name(),
                    run.rows(),
                    run.took().toMillis());
        }
        Duration dueIn = run.hasMore() ? BREATH : Jitter.around(chore.interval());
        return book.succeeded(chore.name(), start, run.took(), run.result().get(), dueIn, right);
    }

    private void tellOfFailure(String chore, Throwable thrown) {
        boolean isOutage = thrown instanceof StoreUnavailableException && !isStatementTimeout(thrown);
        if (!isOutage && toldOf.add(chore)) {
            LOG.warn("chore {} failed and tries again later: {}", chore, ErrorText.of(thrown));
        } else {
            LOG.debug("chore {} failed", chore, thrown instanceof StoreException ? null : thrown);
        }
    }

    /** Also one of those that may pass, but a chore whose statements take too long may never succeed. */
    private static boolean isStatementTimeout(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException e && STATEMENT_TIMEOUT.equals(e.getSQLState())) {
                return true;
            }
        }
        return false;
    }

    private static Duration since(long beganNanos) {
        return Duration.ofNanos(System.nanoTime() - beganNanos);
    }

    /** What a run works with. */
    private record Context(JooqTaskStore store, Instant now, Optional<String> position, BooleanSupplier timeUp)
            implements ChoreContext {

        @Override
        public boolean isTimeUp() {
            return timeUp.getAsBoolean();
        }
    }
}
