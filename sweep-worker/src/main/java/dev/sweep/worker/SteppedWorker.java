package dev.sweep.worker;

import dev.sweep.Sweep;
import dev.sweep.event.TaskEvent.OutcomeRefused;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * API: the engine without threads, for tests: runs handlers on the calling thread, one task at a time, by the same rules as
 * a {@link Worker}, and records each outcome before the next task is claimed. Jitter comes from a fixed seed. What the
 * store throws reaches the caller. Not thread-safe.
 */
public final class SteppedWorker {

    private static final long SEED = 42;
    private static final Duration NEVER_LAPSES = Duration.ofDays(1);

    private final Sweep sweep;
    private final WorkerConfig config;
    private final HandlerRegistry handlers;
    private final EventPublisher events;
    private final AttemptRunner runner;
    private final OutcomeWriter writer;

    SteppedWorker(Sweep sweep, WorkerConfig config, HandlerRegistry handlers, EventPublisher events) {
        this.sweep = sweep;
        this.config = config;
        this.handlers = handlers;
        this.events = events;
        Judge judge = new Judge(sweep, new RetryRule(handlers, new Random(SEED)), events);
        this.runner = new AttemptRunner(sweep, handlers, judge, events, SteppedWorker::rethrow);
        this.writer = new OutcomeWriter(sweep.store());
    }

    /**
     * Runs what is due now by the store's clock, also what becomes due meanwhile, per queue in claim order.
     *
     * @param limit no claim follows once this many tasks have run
     * @return how many attempts ran; less than {@code limit} if nothing is due any more
     */
    public int runDue(int limit) {
        int ran = 0;
        int last = -1;
        while (ran < limit && ran != last) {
            last = ran;
            for (String queue : config.slots().keySet()) {
                ran += ran < limit ? runNext(queue) : 0;
            }
        }
        return ran;
    }

    private int runNext(String queue) {
        Claim claim = sweep.store()
                .claim(new ClaimRequest(
                        events.worker(), handlers.types(), Map.of(queue, 1), 1, config.leaseDuration(), true));
        claim.tasks().forEach(this::runOne);
        return claim.tasks().size();
    }

    private void runOne(ClaimedTask task) {
        Moment now = Moment.now();
        HeldAttempt held = new HeldAttempt(task, new HeldLease(now.plus(NEVER_LAPSES)), now);
        runner.run(List.of(held), attempts -> HandlerRun.begin(attempts, now), this::record);
    }

    private void record(Ending ending) {
        if (ending.verb() == Ending.Verb.LOSE) {
            writer.lose(List.of(ending));
            return;
        }
        if (!writer.write(ending.verb(), List.of(ending)).contains(ending.attempt())) {
            events.publish(new OutcomeRefused(events.worker(), ending.attempt().id()));
        }
    }

    private static void rethrow(VirtualMachineError error) {
        throw error;
    }
}
