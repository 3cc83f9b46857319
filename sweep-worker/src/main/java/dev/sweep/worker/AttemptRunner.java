package dev.sweep.worker;

import dev.sweep.Sweep;
import dev.sweep.event.TaskEvent.AttemptStarted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs tasks that came together on the calling thread, one or several of a type with a batch handler: reads their payloads,
 * calls the handler, and has a {@link Judge} say how each attempt ended. A task whose payload can't be read fails alone;
 * after an exception each task of a batch runs once more by itself, so that a bad one fails alone too. Whatever the handler
 * does, nothing it throws comes out of here. Thread-safe.
 */
final class AttemptRunner {

    /** Starts runs, so that whoever watches over them knows the one under way. */
    @FunctionalInterface
    interface Runs {

        HandlerRun begin(List<HeldAttempt> attempts);
    }

    private final Sweep sweep;
    private final HandlerRegistry handlers;
    private final Judge judge;
    private final EventPublisher events;
    private final Interception interception;
    private final TransactionRunner transactions;
    private final Consumer<VirtualMachineError> onFatalError;

    AttemptRunner(
            Sweep sweep,
            HandlerRegistry handlers,
            Judge judge,
            EventPublisher events,
            Consumer<VirtualMachineError> onFatalError) {
        this.sweep = sweep;
        this.handlers = handlers;
        this.judge = judge;
        this.events = events;
        this.interception = new Interception(sweep.interceptors());
        this.transactions = new TransactionRunner(sweep, judge, events, interception);
        this.onFatalError = onFatalError;
    }

    /** Tells each ending as soon as it is known; none of an attempt that timed out, whose ending is known already. */
    void run(List<HeldAttempt> share, Runs runs, Consumer<Ending> endings) {
        run(handlers.handlerOf(share.get(0).task().type()), share, runs, endings);
    }

    private <P> void run(RegisteredHandler<P> handler, List<HeldAttempt> share, Runs runs, Consumer<Ending> endings) {
        runUntilAllHaveEnded(
                handler, readable(handler, share, endings), runs, held -> new Ending.Released(held.task()), endings);
    }

    /** @param unbegun how an attempt ends that may not start any more */
    private <P> void runUntilAllHaveEnded(
            RegisteredHandler<P> handler,
            List<ShareItem<P>> items,
            Runs runs,
            Function<HeldAttempt, Ending> unbegun,
            Consumer<Ending> endings) {
        List<ShareItem<P>> left = items;
        while (!left.isEmpty()) {
            left = runTogether(handler, left, runs, unbegun, endings);
        }
    }

    private <P> List<ShareItem<P>> readable(
            RegisteredHandler<P> handler, List<HeldAttempt> share, Consumer<Ending> endings) {
        List<ShareItem<P>> items = new ArrayList<>(share.size());
        for (HeldAttempt held : share) {
            try {
                P payload = sweep.codec()
                        .decode(held.task().payload(), handler.type().payloadClass());
                items.add(new ShareItem<>(held, payload));
            } catch (RuntimeException | Error unreadable) {
                tellIfFatal(unreadable);
                events.publish(new AttemptStarted(events.worker(), held.told()));
                endings.accept(judge.threw(held, unreadable, Duration.ZERO));
            }
        }
        return items;
    }

    /** Returns what has not ended and is to run again. */
    private <P> List<ShareItem<P>> runTogether(
            RegisteredHandler<P> handler,
            List<ShareItem<P>> items,
            Runs runs,
            Function<HeldAttempt, Ending> unbegun,
            Consumer<Ending> endings) {
        HandlerRun run = runs.begin(items.stream().map(ShareItem::held).toList());
        Set<HeldAttempt> begun = new HashSet<>(run.attempts());
        List<ShareItem<P>> started = new ArrayList<>(items.size());
        for (ShareItem<P> item : items) {
            if (begun.contains(item.held())) {
                events.publish(new AttemptStarted(events.worker(), item.held().told()));
                started.add(item);
            } else {
                endings.accept(unbegun.apply(item.held()));
            }
        }
        return started.isEmpty() ? List.of() : call(handler, started, run, runs, endings);
    }

    private <P> List<ShareItem<P>> call(
            RegisteredHandler<P> handler,
            List<ShareItem<P>> items,
            HandlerRun run,
            Runs runs,
            Consumer<Ending> endings) {
        StopWatch watch = StopWatch.started();
        try {
            if (handler instanceof RegisteredHandler.Transactional<P> transactional) {
                return transactions.run(transactional, items, run, watch, endings);
            }
            callPlainly((RegisteredHandler.Plain<P>) handler, items, run, watch, endings);
        } catch (Throwable thrown) {
            boolean isInTime = run.end();
            watch.stop();
            tellIfFatal(thrown);
            if (isInTime && items.size() == 1) {
                endings.accept(judge.threw(items.get(0).held(), thrown, watch.time()));
            } else if (isInTime) {
                Function<HeldAttempt, Ending> unbegun = held -> judge.threw(held, thrown, watch.time());
                items.forEach(item -> runUntilAllHaveEnded(handler, List.of(item.afresh()), runs, unbegun, endings));
            }
        }
        return List.of();
    }

    private <P> void callPlainly(
            RegisteredHandler.Plain<P> handler,
            List<ShareItem<P>> items,
            HandlerRun run,
            StopWatch watch,
            Consumer<Ending> endings)
            throws Exception {
        run.called();
        interception.around(handler, items, () -> handler.call(items));
        if (run.end()) {
            Duration each = watch.stop().dividedBy(items.size());
            items.forEach(item -> endings.accept(judge.returned(item.held(), item.outcome(), each)));
        }
    }

    private void tellIfFatal(Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal && !(thrown instanceof StackOverflowError)) {
            onFatalError.accept(fatal);
        }
    }
}
