package dev.sweep.worker;

/** Waits for the end of threads, never longer than until a deadline. */
final class Joining {

    private Joining() {}

    /** Whether the thread has ended; one that was never started has. */
    static boolean join(Thread thread, Deadline deadline) {
        try {
            thread.join(Math.max(1, deadline.left().toMillis()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}
