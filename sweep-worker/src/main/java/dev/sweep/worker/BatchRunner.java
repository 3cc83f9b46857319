package dev.sweep.worker;

import dev.sweep.Outcome;
import dev.sweep.Sweep;
import dev.sweep.TaskBatch;
import dev.sweep.TaskContext;
import dev.sweep.event.TaskEvent.AttemptStarted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs a batch on the calling thread. A task whose payload can't be read fails alone; after an exception of the handler
 * each task runs once more by itself, so that a bad one fails alone too. Thread-safe.
 */
final class BatchRunner {

    private final Sweep sweep;
    private final Judge judge;
    private final EventPublisher events;
    private final Interception interception;
    private final Consumer<Throwable> onThrown;

    BatchRunner(
            Sweep sweep, Judge judge, EventPublisher events, Interception interception, Consumer<Throwable> onThrown) {
        this.sweep = sweep;
        this.judge = judge;
        this.events = events;
        this.interception = interception;
        this.onThrown = onThrown;
    }

    <P> List<Ending> run(RegisteredHandler.Batch<P> handler, List<HeldAttempt> share, AttemptRunner.Runs runs) {
        List<Ending> endings = new ArrayList<>();
        List<BatchItem<P>> readable = readable(handler, share, endings);
        if (!readable.isEmpty()) {
            runTogether(handler, readable, runs, endings);
        }
        return endings;
    }

    private <P> List<BatchItem<P>> readable(
            RegisteredHandler.Batch<P> handler, List<HeldAttempt> share, List<Ending> endings) {
        List<BatchItem<P>> items = new ArrayList<>(share.size());
        for (HeldAttempt held : share) {
            try {
                P payload = sweep.codec()
                        .decode(held.task().payload(), handler.type().payloadClass());
                items.add(new BatchItem<>(held, payload));
            } catch (RuntimeException | Error unreadable) {
                onThrown.accept(unreadable);
                events.publish(new AttemptStarted(events.worker(), held.told()));
                endings.add(judge.threw(held, unreadable, Duration.ZERO));
            }
        }
        return items;
    }

    private <P> void runTogether(
            RegisteredHandler.Batch<P> handler,
            List<BatchItem<P>> items,
            AttemptRunner.Runs runs,
            List<Ending> endings) {
        HandlerRun run = runs.begin(items.stream().map(BatchItem::held).toList());
        List<BatchItem<P>> started = new ArrayList<>(items.size());
        for (BatchItem<P> item : items) {
            if (run.attempts().contains(item.held())) {
                started.add(item);
            } else {
                endings.add(new Ending.Released(item.held().task()));
            }
        }
        if (!started.isEmpty()) {
            call(handler, started, run, runs, endings);
        }
    }

    private <P> void call(
            RegisteredHandler.Batch<P> handler,
            List<BatchItem<P>> started,
            HandlerRun run,
            AttemptRunner.Runs runs,
            List<Ending> endings) {
        StopWatch watch = StopWatch.started();
        try {
            started.forEach(item -> events.publish(
                    new AttemptStarted(events.worker(), item.held().told())));
            List<TaskContext> contexts =
                    started.stream().map(BatchItem::context).toList();
            interception.around(contexts, () -> {
                handler.handler().handle(new Items<>(List.copyOf(started)));
                return Outcome.complete();
            });
            if (run.end()) {
                Duration each = watch.stop().dividedBy(started.size());
                started.forEach(item -> endings.add(judge.returned(item.held(), item.outcome(), each)));
            }
        } catch (Throwable thrown) {
            boolean isInTime = run.end();
            onThrown.accept(thrown);
            if (isInTime && started.size() == 1) {
                endings.add(judge.threw(started.get(0).held(), thrown, watch.stop()));
            } else if (isInTime) {
                started.forEach(item -> runTogether(handler, List.of(item.afresh()), runs, endings));
            }
        }
    }

    /** What the handler sees. */
    private record Items<P>(List<TaskBatch.Item<P>> items) implements TaskBatch<P> {}
}
