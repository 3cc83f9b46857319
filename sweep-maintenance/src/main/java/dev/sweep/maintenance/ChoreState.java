package dev.sweep.maintenance;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * API: how a chore does, as its row in {@code maintenance_chore} tells.
 *
 * @param dueAt when it runs next; empty: as soon as someone leads
 * @param startedAt the start of its last run; empty: it never ran
 * @param succeededAt the end of its last run that succeeded
 * @param took how long its last run took
 * @param rows how many rows that changed
 * @param totalRows how many rows all runs changed
 * @param runs how many runs have ended
 * @param failures how many runs have failed since the last that succeeded
 * @param error of its last run, if that failed
 * @param note what its last run that succeeded found worth knowing
 */
public record ChoreState(
        String name,
        Optional<Instant> dueAt,
        Optional<Instant> startedAt,
        Optional<Instant> succeededAt,
        Optional<Duration> took,
        long rows,
        long totalRows,
        long runs,
        int failures,
        Optional<String> error,
        Optional<String> note) {}
