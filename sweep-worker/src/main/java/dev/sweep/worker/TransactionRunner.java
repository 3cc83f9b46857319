package dev.sweep.worker;

import dev.sweep.Outcome;
import dev.sweep.StoreUnavailableException;
import dev.sweep.Sweep;
import dev.sweep.SweepException;
import dev.sweep.TransactionConflictException;
import dev.sweep.TransactionLostException;
import dev.sweep.event.TaskEvent.AttemptGivenUp;
import dev.sweep.event.TaskEvent.AttemptSucceeded;
import dev.sweep.event.TaskEvent.CommitInDoubt;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Completion;
import dev.sweep.spi.TransactionEnd;
import dev.sweep.spi.TransactionalStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs handlers in the transaction that completes their tasks. Thread-safe. */
final class TransactionRunner {

    private static final Pace OUTAGE_PACE = new Pace(Duration.ofMillis(200), Duration.ofSeconds(5));

    private final Sweep sweep;
    private final Judge judge;
    private final EventPublisher events;
    private final Interception interception;
    /** In a row. */
    private final AtomicInteger faultsOfStore = new AtomicInteger();

    TransactionRunner(Sweep sweep, Judge judge, EventPublisher events, Interception interception) {
        this.sweep = sweep;
        this.judge = judge;
        this.events = events;
        this.interception = interception;
    }

    /**
     * Returns what is to run again, without those that kept it from being committed.
     *
     * @throws Exception what the handler or the store threw; nothing was committed
     */
    <P> List<ShareItem<P>> run(
            RegisteredHandler.Transactional<P> handler,
            List<ShareItem<P>> items,
            HandlerRun run,
            StopWatch watch,
            Consumer<Ending> endings)
            throws Exception {
        Work<P> work = new Work<>(handler, items, run, watch);
        TransactionEnd end;
        try {
            end = store().completeInTransaction(
                            items.stream().map(item -> item.held().task()).toList(), work::on);
        } catch (StoreUnavailableException | TransactionConflictException away) {
            if (away == work.thrownByHandler
                    || items.stream().allMatch(item -> item.held().isLost())) {
                throw away;
            }
            if (run.end()) {
                givenUp(items, away).forEach(endings);
            }
            return List.of();
        }
        faultsOfStore.set(0);
        Duration each = watch.time().dividedBy(items.size());
        if (end instanceof TransactionEnd.RolledBack) {
            return withoutThoseThatEndedOtherwise(items, each, endings);
        }
        if (end instanceof TransactionEnd.Refused refused) {
            return withoutThoseRefused(items, refused, endings);
        }
        boolean isCommitted = end instanceof TransactionEnd.Committed;
        tellIfInDoubt(end, items);
        for (ShareItem<P> item : items) {
            if (isCommitted) {
                events.publish(new AttemptSucceeded(events.worker(), item.held().told(), each));
            }
            endings.accept(
                    isCommitted
                            ? decided(item, true)
                            : new Ending.InDoubt(item.held().task()));
        }
        if (isCommitted && work.transaction != null) {
            work.transaction.announce();
        }
        return List.of();
    }

    /** The store's fault, not the handler's: costs no retry. The pause keeps an outage from being hammered. */
    private <P> List<Ending> givenUp(List<ShareItem<P>> items, SweepException away) {
        Duration pause = OUTAGE_PACE.delayAfter(faultsOfStore.incrementAndGet());
        List<Ending> endings = new ArrayList<>(items.size());
        for (ShareItem<P> item : items) {
            events.publish(new AttemptGivenUp(events.worker(), item.held().told(), away));
            endings.add(
                    away instanceof TransactionLostException || item.held().isLost()
                            ? new Ending.Lost(item.held().task())
                            : new Ending.Released(item.held().task(), pause));
        }
        return endings;
    }

    /** Nothing if one of them ended otherwise: what was written for it can't be told from what was written for others. */
    private <P> List<Completion> completions(List<ShareItem<P>> items, Duration each) {
        List<Completion> completions = new ArrayList<>(items.size());
        for (ShareItem<P> item : items) {
            if (!(item.outcome() instanceof Outcome.Complete complete)) {
                return List.of();
            }
            completions.add(judge.completion(item.held(), complete, each));
        }
        return completions;
    }

    private <P> List<ShareItem<P>> withoutThoseThatEndedOtherwise(
            List<ShareItem<P>> items, Duration each, Consumer<Ending> endings) {
        List<ShareItem<P>> again = new ArrayList<>(items.size());
        for (ShareItem<P> item : items) {
            if (item.isComplete()) {
                again.add(item.afresh());
            } else {
                endings.accept(judge.returned(item.held(), item.outcome(), each));
            }
        }
        return again;
    }

    private static <P> List<ShareItem<P>> withoutThoseRefused(
            List<ShareItem<P>> items, TransactionEnd.Refused refused, Consumer<Ending> endings) {
        List<ShareItem<P>> again = new ArrayList<>(items.size());
        for (ShareItem<P> item : items) {
            Attempt attempt = item.held().attempt();
            if (refused.attempts().contains(attempt)) {
                endings.accept(decided(item, false));
            } else {
                again.add(item.afresh());
            }
        }
        return again;
    }

    private <P> void tellIfInDoubt(TransactionEnd end, List<ShareItem<P>> items) {
        boolean isFoundOut = end instanceof TransactionEnd.Committed committed && committed.isFoundOut();
        if (isFoundOut || end instanceof TransactionEnd.Unknown) {
            events.publish(new CommitInDoubt(
                    events.worker(),
                    items.stream().map(item -> item.held().id()).toList(),
                    isFoundOut));
        }
    }

    private static <P> Ending decided(ShareItem<P> item, boolean isAccepted) {
        return new Ending.Decided(item.held().task(), isAccepted);
    }

    private TransactionalStore store() {
        return (TransactionalStore) sweep.store();
    }

    /** What is done in the transaction. Used by the handler's thread. */
    private final class Work<P> {
        private final RegisteredHandler.Transactional<P> handler;
        private final List<ShareItem<P>> items;
        private final HandlerRun run;
        private final StopWatch watch;
        private @Nullable OpenTransaction transaction;
        private @Nullable Throwable thrownByHandler;

        private Work(
                RegisteredHandler.Transactional<P> handler, List<ShareItem<P>> items, HandlerRun run, StopWatch watch) {
            this.handler = handler;
            this.items = items;
            this.run = run;
            this.watch = watch;
        }

        private List<Completion> on(Connection connection) throws Exception {
            OpenTransaction opened = new OpenTransaction(sweep, connection);
            transaction = opened;
            run.called();
            watch.restart();
            run.cutWith(() -> abort(connection));
            try {
                interception.around(handler, items, () -> handler.call(items, opened));
            } catch (Throwable thrown) {
                thrownByHandler = thrown;
                throw thrown;
            }
            if (!run.end()) {
                throw new IllegalStateException("it has timed out; its transaction is rolled back");
            }
            return completions(items, watch.stop().dividedBy(items.size()));
        }

        private static void abort(Connection connection) {
            try {
                connection.abort(Runnable::run);
            } catch (Exception ended) {
                // The handler has returned, or its connection is gone.
            }
        }
    }
}
