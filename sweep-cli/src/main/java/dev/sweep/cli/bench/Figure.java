package dev.sweep.cli.bench;

/** What is measured; the JSON names a figure as {@link #key} does. */
public enum Figure {
    TASKS("tasks", 0),
    SECONDS("seconds", 3),
    TASKS_PER_SECOND("tasksPerSecond", 0),
    P50_MILLIS("p50Millis", 2),
    P95_MILLIS("p95Millis", 2),
    P99_MILLIS("p99Millis", 2),
    MAX_MILLIS("maxMillis", 2),
    /** How many tasks waited or ran when the producers had ended. */
    BACKLOG("backlogAtEnd", 0),
    /** Per process. */
    TRANSACTIONS_PER_SECOND("transactionsPerSecond", 2),
    /** Of all cores, by whomever. */
    MACHINE_PERCENT("machinePercent", 1),
    WAL_BYTES("walBytesPerTask", 0),
    /** Full-page images: 8 kB or less each, within the WAL bytes. */
    PAGE_IMAGES("pageImagesPer100Tasks", 2),
    COMMITS("commitsPer100Tasks", 2),
    /** Of client backends and of what the server started and ended meanwhile, such as autovacuum. */
    SERVER_MICROS("serverMicrosPerTask", 1),
    /** Of the checkpointer, the WAL writer and the like. */
    BACKGROUND_MICROS("backgroundMicrosPerTask", 1),
    CLIENT_MICROS("clientMicrosPerTask", 1);

    private final String key;
    private final int decimals;

    Figure(String key, int decimals) {
        this.key = key;
        this.decimals = decimals;
    }

    public String key() {
        return key;
    }

    /** How many decimals are worth showing. */
    public int decimals() {
        return decimals;
    }
}
