package dev.sweep.partitioning;

import java.util.Locale;

/**
 * A range that was retired.
 *
 * @param tasks how many tasks were in it
 */
public record RetiredRange(String name, Fate fate, long tasks) {

    /** What became of its tables. */
    public enum Fate {
        /** They are gone. */
        DROPPED,
        /** They are in a folder and gone from the database. */
        EXPORTED,
        /** They are tables of their own, {@code task_<name>} and so on, which Sweep never touches again. */
        KEPT,
        /** Nothing yet: this was a preview. */
        WOULD_GO;

        /** As people and JSON say it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }
}
