package dev.sweep.cli;

import dev.sweep.BulkResult;
import dev.sweep.Sweep;
import dev.sweep.TaskAdmin;
import dev.sweep.TaskChange;
import dev.sweep.TaskId;
import dev.sweep.TaskSelection;
import dev.sweep.TaskStatus;
import java.util.Set;
import java.util.function.Consumer;
import picocli.CommandLine.Command;

/** {@code sweep requeue}: makes new tasks of those that have failed or were cancelled. */
@Command(
        name = "requeue",
        header = "Run failed or cancelled tasks again: each becomes a new task, due now, with all its retries.",
        description = {
            "The old task is gone; its failures stay with the new one. A repetition names the same new task."
                    + " Exit code 1 if there is no such task or it has not failed.",
            "With a filter it only counts, failed tasks if no status is given, and prints the command that then requeues"
                    + " what was counted."
        },
        footer = {"  sweep requeue 901943132168193", "  sweep requeue --type mail --created-from 2030-01-31T08:00:00Z"})
final class RequeueCommand extends ChangeCommand {

    @Override
    String done() {
        return "requeued";
    }

    @Override
    Set<TaskStatus> changeable() {
        return Set.of(TaskStatus.FAILED);
    }

    @Override
    TaskChange one(Sweep sweep, TaskId id) {
        return sweep.admin().requeue(id);
    }

    @Override
    String said(TaskChange change) {
        String task = "task " + change.id();
        return switch (change.kind()) {
            case CHANGED -> task + " is requeued as " + change.requeuedAs().orElseThrow();
            case REQUEUED_BEFORE ->
                task + " had been requeued before, as " + change.requeuedAs().orElseThrow();
            case UNCHANGED, NO_SUCH_TASK, BUSY ->
                task + " is " + change.status().orElseThrow().word()
                        + "; only failed and cancelled tasks can be requeued; nothing was changed";
        };
    }

    @Override
    boolean isAsAsked(TaskChange change) {
        return change.requeuedAs().isPresent();
    }

    @Override
    BulkResult all(TaskAdmin admin, TaskSelection selection, Consumer<BulkResult> progress)
            throws InterruptedException {
        return admin.requeueAll(selection, progress);
    }
}
