package dev.sweep.worker;

import dev.sweep.Outcome;
import dev.sweep.Sweep;
import dev.sweep.TaskContext;
import dev.sweep.event.TaskEvent.AttemptStarted;
import dev.sweep.event.TaskEvent.AttemptSucceeded;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.TransactionEnd;
import dev.sweep.spi.TransactionalStore;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs attempts on the calling thread: reads the payloads, calls the handler, and has a {@link Judge} say how each attempt
 * ended. Whatever the handler does, nothing it throws comes out of here. Thread-safe.
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
    private final BatchRunner batchRunner;
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
        this.batchRunner = new BatchRunner(sweep, judge, events, interception, this::tellIfFatal);
        this.onFatalError = onFatalError;
    }

    /**
     * Runs tasks that came together: one, or several of a type with a batch handler.
     *
     * @return the endings; none for an attempt that timed out, whose ending is known already
     */
    List<Ending> run(List<HeldAttempt> share, Runs runs) {
        RegisteredHandler<?> handler = handlers.handlerOf(share.get(0).task().type());
        if (handler instanceof RegisteredHandler.Batch<?> batch) {
            return batchRunner.run(batch, share, runs);
        }
        HandlerRun run = runs.begin(share);
        return run.attempts().isEmpty()
                ? List.of(new Ending.Released(share.get(0).task()))
                : runOne(handler, run.attempts().get(0), run);
    }

    private List<Ending> runOne(RegisteredHandler<?> handler, HeldAttempt held, HandlerRun run) {
        StopWatch watch = StopWatch.started();
        try {
            events.publish(new AttemptStarted(events.worker(), held.told()));
            return runWith(handler, held, run, watch);
        } catch (Throwable thrown) {
            boolean isInTime = run.end();
            watch.stop();
            tellIfFatal(thrown);
            return isInTime ? List.of(judge.threw(held, thrown, watch.time())) : List.of();
        }
    }

    private <P> List<Ending> runWith(RegisteredHandler<P> registered, HeldAttempt held, HandlerRun run, StopWatch watch)
            throws Exception {
        P payload =
                sweep.codec().decode(held.task().payload(), registered.type().payloadClass());
        if (registered instanceof RegisteredHandler.Transactional<P> transactional) {
            return runInTransaction(transactional, payload, held, run, watch);
        }
        return runPlain((RegisteredHandler.Plain<P>) registered, payload, held, run, watch);
    }

    private <P> List<Ending> runPlain(
            RegisteredHandler.Plain<P> registered, P payload, HeldAttempt held, HandlerRun run, StopWatch watch)
            throws Exception {
        TaskContext context = new AttemptContext(held.task());
        @Nullable
        Outcome outcome =
                interception.around(List.of(context), () -> registered.handler().handle(payload, context));
        boolean isInTime = run.end();
        return isInTime ? List.of(judge.returned(held, outcome, watch.stop())) : List.of();
    }

    private <P> List<Ending> runInTransaction(
            RegisteredHandler.Transactional<P> registered, P payload, HeldAttempt held, HandlerRun run, StopWatch watch)
            throws Exception {
        ClaimedTask task = held.task();
        Set<String> queues = new HashSet<>();
        TransactionEnd end = ((TransactionalStore) sweep.store()).completeInTransaction(List.of(task), connection -> {
            TransactionalAttemptContext context = new TransactionalAttemptContext(task, sweep, connection, queues);
            interception.around(List.of(context), () -> {
                registered.handler().handle(payload, context);
                return Outcome.complete();
            });
            if (!run.end()) {
                throw new IllegalStateException("the attempt has timed out; its transaction is rolled back");
            }
            return List.of(new Completion(task.attempt(), watch.stop()));
        });
        boolean isAccepted = end instanceof TransactionEnd.Committed;
        if (isAccepted) {
            events.publish(new AttemptSucceeded(events.worker(), held.told(), watch.time()));
            queues.forEach(queue -> sweep.announce(queue));
        }
        return List.of(new Ending.Decided(task, isAccepted));
    }

    private void tellIfFatal(Throwable thrown) {
        if (thrown instanceof VirtualMachineError fatal && !(thrown instanceof StackOverflowError)) {
            onFatalError.accept(fatal);
        }
    }
}
