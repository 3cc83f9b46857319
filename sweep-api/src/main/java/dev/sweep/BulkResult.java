package dev.sweep;

import dev.sweep.TaskChange.Kind;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;

/**
 * How many tasks of a selection were changed, and why the others were not. Counts add up while a change is under way.
 *
 * @param changed changed by this call
 * @param unchanged left alone, by the status that they have now
 * @param requeuedBefore had been requeued before this call
 * @param missing were not found
 * @param busy were held by other transactions; run it again for them
 */
public record BulkResult(long changed, Map<TaskStatus, Long> unchanged, long requeuedBefore, long missing, long busy) {

    /** Of no task at all. */
    public static final BulkResult NONE = new BulkResult(0, Map.of(), 0, 0, 0);

    public BulkResult {
        unchanged = Map.copyOf(unchanged);
    }

    /** All tasks that were looked at. */
    public long total() {
        return changed + unchanged.values().stream().mapToLong(Long::longValue).sum() + requeuedBefore + missing + busy;
    }

    /** With these counted too. */
    BulkResult plus(Collection<TaskChange> changes) {
        Map<TaskStatus, Long> left = new EnumMap<>(TaskStatus.class);
        left.putAll(unchanged);
        changes.stream()
                .filter(change -> change.kind() == Kind.UNCHANGED)
                .forEach(change -> change.status().ifPresent(status -> left.merge(status, 1L, Long::sum)));
        return new BulkResult(
                changed + count(Kind.CHANGED, changes),
                left,
                requeuedBefore + count(Kind.REQUEUED_BEFORE, changes),
                missing + count(Kind.NO_SUCH_TASK, changes),
                busy + count(Kind.BUSY, changes));
    }

    private static long count(Kind kind, Collection<TaskChange> changes) {
        return changes.stream().filter(change -> change.kind() == kind).count();
    }
}
