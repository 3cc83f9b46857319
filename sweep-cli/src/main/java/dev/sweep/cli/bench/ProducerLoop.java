package dev.sweep.cli.bench;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Enqueues as many tasks as were ordered, on as many threads, at the ordered rate. */
final class ProducerLoop implements TaskLoop {

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final Order order;
    private final Producer producer;
    private final Progress progress;
    private final Payloads payloads;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong taken = new AtomicLong();
    private volatile long beganNanos;
    private volatile boolean isStopping;

    ProducerLoop(Order order, Producer producer, Progress progress) {
        this.order = order;
        this.producer = producer;
        this.progress = progress;
        this.payloads = new Payloads(order.payloadBytes());
    }

    @Override
    public void start() {
        beganNanos = System.nanoTime();
        progress.claimed();
        for (int i = 0; i < order.threads(); i++) {
            Thread thread = new Thread(this::run, "bench-producer-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    private void run() {
        try {
            long from = taken.getAndAdd(order.batch());
            while (from < order.tasks() && !isStopping) {
                awaitTurn(from);
                enqueue(from, (int) Math.min(order.batch(), order.tasks() - from));
                from = taken.getAndAdd(order.batch());
            }
        } catch (SQLException failed) {
            throw new BenchException("a producer failed: " + failed.getMessage(), failed);
        }
    }

    /** At a rate each task has its time; who is late does not wait. */
    private void awaitTurn(long number) {
        if (order.perSecond() > 0) {
            long at = beganNanos + number * NANOS_PER_SECOND / order.perSecond();
            long left = at - System.nanoTime();
            while (left > 0 && !isStopping) {
                LockSupport.parkNanos(left);
                left = at - System.nanoTime();
            }
        }
    }

    private void enqueue(long from, int count) throws SQLException {
        if (order.batch() == 1) {
            producer.enqueue(payloads.next());
        } else {
            List<String> batch = new ArrayList<>(count);
            List<String> keys = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                batch.add(payloads.next());
                if (order.isKeyed()) {
                    keys.add("bench:" + (from + i));
                }
            }
            producer.enqueueAll(batch, keys);
        }
        progress.finished(count);
    }

    @Override
    public void close() throws SQLException {
        isStopping = true;
        for (Thread thread : threads) {
            HandWrittenTaskLoop.join(thread);
        }
        producer.close();
    }
}
