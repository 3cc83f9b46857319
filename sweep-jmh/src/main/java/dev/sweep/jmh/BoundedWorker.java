package dev.sweep.jmh;

import dev.sweep.Sweep;
import dev.sweep.TaskType;
import dev.sweep.worker.Worker;
import java.util.concurrent.locks.LockSupport;

/**
 * A process with a small heap in which a worker with 16 slots, and a buffer of 1,000 tasks, drains what waits. Argument: how
 * many tasks there are. Fails if the buffer never was full, for then it shows nothing.
 */
final class BoundedWorker {

    static final int SLOTS = 16;
    static final int BUFFER = 1_000;
    private static final int ROUNDS = 10;
    /** Slower than claims are, so that tasks have to wait in the buffer. */
    private static final long RUN_NANOS = 5_000_000;

    private BoundedWorker() {}

    public static void main(String[] arguments) throws Exception {
        int tasks = Integer.parseInt(arguments[0]);
        Outcomes outcomes = new Outcomes();
        HeapSamples heap = new HeapSamples();
        int fullest = 0;
        try (ParentsInstallation parents = ParentsInstallation.open();
                Worker worker = worker(parents.sweep(), outcomes)) {
            worker.start();
            for (int round = 1; round <= ROUNDS; round++) {
                outcomes.expect(tasks / ROUNDS);
                outcomes.await();
                int buffered = worker.health().load().buffered();
                fullest = Math.max(fullest, buffered);
                heap.take(round * (tasks / ROUNDS) + " tasks done, " + buffered + " buffered");
            }
        }
        heap.requireFlat();
        if (fullest < BUFFER / 2) {
            throw new IllegalStateException("the buffer never held more than " + fullest + " of " + BUFFER
                    + " tasks; give the worker more tasks, or make handlers slower");
        }
    }

    private static Worker worker(Sweep sweep, Outcomes outcomes) {
        return Worker.builder(sweep)
                .queue(Seed.QUEUE, SLOTS)
                .bufferLimit(BUFFER)
                .handle(TaskType.json(Seed.TYPE), (payload, context) -> LockSupport.parkNanos(RUN_NANOS))
                .logging(outcomes)
                .build();
    }
}
