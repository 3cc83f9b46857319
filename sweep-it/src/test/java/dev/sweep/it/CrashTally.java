package dev.sweep.it;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What must have happened at least once for a run to prove anything.
 *
 * @param reclaims of attempts whose handler had begun
 * @param refusals outcomes that were discarded
 * @param unknownCommits commits whose answer was lost
 * @param foundCommitted those of handlers that were found to have happened
 */
record CrashTally(long reclaims, long refusals, long unknownCommits, long foundCommitted) {

    static CrashTally of(Database db, List<String> lines) {
        Set<String> begun = new HashSet<>(lines);
        long reclaims = db
                .query(
                        "select case when split_part(t.type, '.', 2) = 'batch' then 'batches ' else 'runs ' end || f.lease || ' ' || f.id from sweep.task_failure f join sweep.task t on t.id = f.id where f.error_class = 'worker lost'")
                .stream()
                .map(String.class::cast)
                .filter(begun::contains)
                .count();
        return new CrashTally(
                reclaims,
                countOf(lines, "refused "),
                countOf(lines, "commit of unknown outcome"),
                countOf(lines, "looked, and it was committed"));
    }

    private static long countOf(List<String> lines, String start) {
        return lines.stream().filter(line -> line.startsWith(start)).count();
    }

    boolean counts() {
        return reclaims > 0 && refusals > 0 && unknownCommits > 0 && foundCommitted > 0;
    }

    @Override
    public String toString() {
        return reclaims + " reclaims hit running tasks, " + refusals + " outcomes were refused, " + unknownCommits
                + " commits were of unknown outcome, of which " + foundCommitted
                + " of handlers were found to have happened";
    }
}
