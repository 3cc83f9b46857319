package dev.sweep.spi;

/** SPI: a hint that looking is worth while now, so that nobody has to wait for the next poll. It carries no task data. */
public sealed interface WakeUp {

    /** Tasks were enqueued in this queue. */
    record NewTasks(String queue) implements WakeUp {}

    /**
     * Tasks of this queue may be claimed that could not be before: released, requeued, rescheduled, or the queue was
     * resumed. They may stand where a claimer no longer looks, so it forgets where entries begin.
     */
    record TasksReturned(String queue) implements WakeUp {}

    /** The same in queues that the announcer does not know. */
    record TasksReturnedAnywhere() implements WakeUp {}

    /** Tasks were cancelled; whoever runs one stops it. */
    record TasksCancelled() implements WakeUp {}
}
