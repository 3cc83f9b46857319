package dev.sweep.partitioning;

import java.util.Locale;

/**
 * How far the retirement of a range has come. Each stage is entered in the transaction that does what it says, so the stage
 * and the catalog tell the next run where to go on.
 *
 * <pre>
 *   chosen ──▶ counted ──▶ released ──▶ exported ──▶ dropped
 *      │                       │            │
 *      ▼                       ├──▶ kept ◀──┤
 *   returning ──▶ (no row)     ├──▶ dropped │
 *      ▲                       │            │
 *      └───────────────────────┴────────────┘
 * </pre>
 */
enum RetirementStage {
    /** Its three tables are being detached; nothing of it is given up yet. */
    CHOSEN,
    /**
     * Its tables are being attached again: something in it is live after all, it was not Sweep's to take away, or is to stay
     * longer by now.
     */
    RETURNING,
    /** Detached, found finished once more, and taken off the totals; its dedup keys are being released. */
    COUNTED,
    /** Stand-alone tables to which nothing refers. */
    RELEASED,
    /** Written to the folder; its tables may go. */
    EXPORTED,
    /** The end: its tables stay, and are the owner's. */
    KEPT,
    /** The end: its tables are gone. */
    DROPPED;

    /** Whether only what becomes of its tables is left to do. */
    boolean isForFate() {
        return this == RELEASED || this == EXPORTED;
    }

    boolean isFinal() {
        return this == KEPT || this == DROPPED;
    }

    /** As the column {@code stage} has it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static RetirementStage of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
