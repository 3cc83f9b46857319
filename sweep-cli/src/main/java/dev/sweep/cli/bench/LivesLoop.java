package dev.sweep.cli.bench;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Takes as many tasks as were ordered through their whole life, batch by batch, on as many threads. */
final class LivesLoop implements TaskLoop {

    private final Order order;
    private final List<BatchLoop> loops;
    private final Progress progress;
    private final Payloads payloads;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong enqueued = new AtomicLong();
    private final AtomicLong completed = new AtomicLong();
    private volatile boolean isStopping;

    private LivesLoop(Order order, List<BatchLoop> loops, Progress progress) {
        this.order = order;
        this.loops = List.copyOf(loops);
        this.progress = progress;
        this.payloads = new Payloads(order.payloadBytes());
    }

    static LivesLoop open(Order order, Contender contender, Place place, Progress progress) throws SQLException {
        List<BatchLoop> loops = new ArrayList<>();
        for (int i = 0; i < order.threads(); i++) {
            loops.add(contender.batches(place, order.batch()));
        }
        return new LivesLoop(order, loops, progress);
    }

    @Override
    public void start() {
        progress.claimed();
        for (BatchLoop loop : loops) {
            Thread thread = new Thread(() -> run(loop), "bench-lives-" + threads.size());
            threads.add(thread);
            thread.start();
        }
    }

    private void run(BatchLoop loop) {
        try {
            while (completed.get() < order.tasks() && !isStopping) {
                int done = loop.turn(batch());
                completed.addAndGet(done);
                progress.finished(done);
            }
        } catch (SQLException failed) {
            throw new BenchException("a loop failed: " + failed.getMessage(), failed);
        }
    }

    private List<String> batch() {
        long from = enqueued.getAndAdd(order.batch());
        long count = Math.max(0, Math.min(order.batch(), order.tasks() - from));
        List<String> batch = new ArrayList<>((int) count);
        while (batch.size() < count) {
            batch.add(payloads.next());
        }
        return batch;
    }

    @Override
    public void close() throws SQLException {
        isStopping = true;
        for (Thread thread : threads) {
            HandWrittenTaskLoop.join(thread);
        }
        for (BatchLoop loop : loops) {
            loop.close();
        }
    }
}
