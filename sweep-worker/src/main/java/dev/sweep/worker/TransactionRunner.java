package dev.sweep.worker;

import dev.sweep.Outcome;
import dev.sweep.Sweep;
import dev.sweep.event.TaskEvent.AttemptSucceeded;
import dev.sweep.event.TaskEvent.CommitInDoubt;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Completion;
import dev.sweep.spi.TransactionEnd;
import dev.sweep.spi.TransactionalStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs handlers in the transaction that completes their tasks. Thread-safe. */
final class TransactionRunner {

    private final Sweep sweep;
    private final Judge judge;
    private final EventPublisher events;
    private final Interception interception;

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
            List<Ending> endings)
            throws Exception {
        AtomicReference<@Nullable OpenTransaction> opened = new AtomicReference<>();
        TransactionEnd end = store().completeInTransaction(
                        items.stream().map(item -> item.held().task()).toList(), connection -> {
                            OpenTransaction transaction = new OpenTransaction(sweep, connection);
                            opened.set(transaction);
                            interception.around(handler, items, () -> handler.call(items, transaction));
                            if (!run.end()) {
                                throw new IllegalStateException("it has timed out; its transaction is rolled back");
                            }
                            return completions(items, watch.stop().dividedBy(items.size()));
                        });
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
            endings.add(
                    isCommitted
                            ? decided(item, true)
                            : new Ending.LeftToLapse(item.held().task()));
        }
        @Nullable OpenTransaction transaction = opened.get();
        if (isCommitted && transaction != null) {
            transaction.announce();
        }
        return List.of();
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
            List<ShareItem<P>> items, Duration each, List<Ending> endings) {
        List<ShareItem<P>> again = new ArrayList<>(items.size());
        for (ShareItem<P> item : items) {
            if (item.isComplete()) {
                again.add(item.afresh());
            } else {
                endings.add(judge.returned(item.held(), item.outcome(), each));
            }
        }
        return again;
    }

    private static <P> List<ShareItem<P>> withoutThoseRefused(
            List<ShareItem<P>> items, TransactionEnd.Refused refused, List<Ending> endings) {
        List<ShareItem<P>> again = new ArrayList<>(items.size());
        for (ShareItem<P> item : items) {
            Attempt attempt = item.held().attempt();
            if (refused.attempts().contains(attempt)) {
                endings.add(decided(item, false));
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
}
