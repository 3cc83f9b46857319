package dev.sweep.cli.bench;

/** What a contender's worker tells of its tasks. Thread-safe and cheap: it is told while the clock runs. */
public interface Progress {

    /** A claim brought tasks. */
    void claimed();

    /**
     * The handler has begun; to be told from where the application's code would run.
     *
     * @param payload JSON text
     */
    void started(String payload);

    /** So many more tasks have ended, durably; negative: so many of those that were told wait again after all. */
    void finished(int count);
}
