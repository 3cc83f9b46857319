package dev.sweep;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/** Changes the tasks of a selection in batches, and comes back a few times for those that were busy. */
final class BulkChange {

    private static final int BATCH_SIZE = 1000;
    private static final int PASSES = 5;
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Function<Set<TaskId>, List<TaskChange>> change;
    private final Consumer<BulkResult> progress;
    private BulkResult result = BulkResult.NONE;

    /**
     * Of any number of tasks.
     *
     * @param change one short transaction
     */
    BulkChange(Function<Set<TaskId>, List<TaskChange>> change, Consumer<BulkResult> progress) {
        this.change = change;
        this.progress = progress;
    }

    BulkResult run(TaskSelection selection) throws InterruptedException {
        List<TaskId> left = selection.ids();
        for (int pass = 1; !left.isEmpty(); pass++) {
            List<TaskId> busy = new ArrayList<>();
            for (int from = 0; from < left.size(); from += BATCH_SIZE) {
                Pauses.pause(Duration.ZERO);
                int end = Math.min(left.size(), from + BATCH_SIZE);
                count(change.apply(new TreeSet<>(left.subList(from, end))), pass == PASSES, busy);
            }
            left = busy;
            Pauses.pause(left.isEmpty() ? Duration.ZERO : PAUSE.multipliedBy(pass));
        }
        return result;
    }

    /** Busy tasks are counted in the last pass only; else they are kept for the next one. */
    private void count(List<TaskChange> changes, boolean isLastPass, List<TaskId> busy) {
        List<TaskChange> settled = new ArrayList<>(changes.size());
        for (TaskChange one : changes) {
            if (isLastPass || one.kind() != TaskChange.Kind.BUSY) {
                settled.add(one);
            } else {
                busy.add(one.id());
            }
        }
        result = result.plus(settled);
        progress.accept(result);
    }
}
