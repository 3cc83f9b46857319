package dev.sweep.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/** Runs things at the same instant: threads released by one latch, answers awaited with a deadline. */
final class ContractRace {

    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private ContractRace() {}

    /** The answers of {@code runners} racers, in their order; what one throws is thrown here. */
    static <T> List<T> run(int runners, IntFunction<T> racer) {
        List<Callable<T>> racers = new ArrayList<>();
        for (int i = 0; i < runners; i++) {
            int number = i;
            racers.add(() -> racer.apply(number));
        }
        return run(racers);
    }

    static <T> List<T> run(List<Callable<T>> racers) {
        ExecutorService threads = Executors.newFixedThreadPool(racers.size());
        try {
            CountDownLatch ready = new CountDownLatch(racers.size());
            List<Future<T>> running = new ArrayList<>();
            for (Callable<T> racer : racers) {
                running.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return racer.call();
                }));
            }
            List<T> answers = new ArrayList<>();
            for (Future<T> future : running) {
                answers.add(future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS));
            }
            return answers;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while racing", e);
        } catch (ExecutionException e) {
            throw new AssertionError("a racer failed: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("a racer did not end within " + DEADLINE, e);
        } finally {
            threads.shutdownNow();
        }
    }
}
