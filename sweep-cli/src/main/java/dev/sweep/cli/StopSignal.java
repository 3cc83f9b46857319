package dev.sweep.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C or SIGTERM, turned into a clean end: the command's thread is told to stop, and the JVM stays until it has. Close
 * it when the command has ended by itself.
 */
final class StopSignal implements AutoCloseable {

    private final CountDownLatch requested = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Duration patience;
    private final Thread hook = new Thread(this::stop, "sweep-stop");

    private StopSignal(Duration patience) {
        this.patience = patience;
    }

    /**
     * Listens for the signal from now on.
     *
     * @param patience how long the JVM stays at most after the signal
     */
    static StopSignal listen(Duration patience) {
        StopSignal signal = new StopSignal(patience);
        Runtime.getRuntime().addShutdownHook(signal.hook);
        return signal;
    }

    /** Asks for the stop as the signal would. */
    void request() {
        requested.countDown();
    }

    boolean isRequested() {
        return requested.getCount() == 0;
    }

    /** Waits for the signal, at most so long. Returns whether it has come. */
    boolean await(Duration atMost) throws InterruptedException {
        return requested.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Waits for the signal. */
    void await() throws InterruptedException {
        requested.await();
    }

    /** The command has ended. */
    @Override
    public void close() {
        ended.countDown();
        if (!isRequested()) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }

    private void stop() {
        request();
        try {
            if (!ended.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                System.err.println("sweep: the command did not end within " + patience.toSeconds()
                        + " s of the signal; ending it");
            }
        } catch (InterruptedException impossible) {
            Thread.currentThread().interrupt();
        }
    }
}
