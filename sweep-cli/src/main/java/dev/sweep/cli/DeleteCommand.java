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

/** {@code sweep dead delete}: removes failed tasks for ever. */
@Command(
        name = "delete",
        header = "Delete failed tasks, with their payloads and failures, for ever.",
        description = {
            "Their dedup keys are free again. Exit code 1 if there is no such task or it has not failed.",
            "With a filter it only counts, and prints the command that then deletes what was counted."
        },
        footer = {
            "  sweep dead delete 901943132168193",
            "  sweep dead delete --type mail --created-before 2030-01-31T08:00:00Z"
        })
final class DeleteCommand extends ChangeCommand {

    @Override
    String done() {
        return "deleted";
    }

    @Override
    Set<TaskStatus> changeable() {
        return Set.of(TaskStatus.FAILED);
    }

    @Override
    TaskChange one(Sweep sweep, TaskId id) {
        return sweep.admin().delete(id);
    }

    @Override
    String said(TaskChange change) {
        return isAsAsked(change)
                ? "task " + change.id() + " is deleted"
                : "task " + change.id() + " is " + change.status().orElseThrow().word()
                        + "; only failed tasks can be deleted; nothing was changed";
    }

    @Override
    boolean isAsAsked(TaskChange change) {
        return change.kind() == TaskChange.Kind.CHANGED;
    }

    @Override
    BulkResult all(TaskAdmin admin, TaskSelection selection, Consumer<BulkResult> progress)
            throws InterruptedException {
        return admin.deleteAll(selection, progress);
    }
}
