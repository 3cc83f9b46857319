package dev.sweep.it;

import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for what a test needs to happen; what has not happened by the deadline never will. */
final class Awaiting {

    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

    private Awaiting() {}

    static void until(String what, BooleanSupplier condition) {
        until(what, () -> "no more is known", condition);
    }

    /** What is there instead is told if it has not happened. */
    static void until(String what, Supplier<?> instead, BooleanSupplier condition) {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("waited " + DEADLINE + " in vain until " + what + "; " + instead.get());
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    static void opened(CountDownLatch gate) throws InterruptedException {
        if (!gate.await(DEADLINE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("waited " + DEADLINE + " in vain at a gate");
        }
    }

    static void met(CyclicBarrier barrier) throws InterruptedException, BrokenBarrierException {
        try {
            barrier.await(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException tooFew) {
            throw new AssertionError("waited " + DEADLINE + " in vain at a barrier", tooFew);
        }
    }

    static <T> T answer(Future<T> future) throws InterruptedException, ExecutionException {
        try {
            return future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException none) {
            throw new AssertionError("waited " + DEADLINE + " in vain for an answer", none);
        }
    }
}
