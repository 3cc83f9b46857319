package dev.sweep.cli.bench;

/** What a {@link Contender} may lack; workloads that need it are left out for it. */
public enum Ability {
    /** Dedup keys at the enqueue. */
    KEYS,
    /** A loop of enqueue, claim and complete, in batches of a stated size. */
    BATCHES,
    /** Tasks that wait or have ended, made by set-based SQL. */
    STOCK,
    /** Tasks that have ended stay, and can be counted. */
    HISTORY,
    /** Weekly partitions. */
    PARTITIONS
}
