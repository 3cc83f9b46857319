package dev.sweep.worker;

/** Closes a worker when the JVM is told to end, and makes the JVM wait for that. */
final class ShutdownHook {

    private final Thread thread;

    ShutdownHook(Worker worker) {
        this.thread = new Thread(worker::close, "sweep-shutdown-" + worker.name());
    }

    void add() {
        try {
            Runtime.getRuntime().addShutdownHook(thread);
        } catch (IllegalStateException tooLate) {
            throw new IllegalStateException("the JVM is ending, so no worker can be started", tooLate);
        }
    }

    /** So that a worker which was closed before leaves nothing behind. */
    void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException isRunning) {
            // The JVM is ending, most likely by this hook.
        }
    }
}
