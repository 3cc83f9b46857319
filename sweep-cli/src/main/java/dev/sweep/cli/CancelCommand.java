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

/** {@code sweep cancel}: withdraws tasks that have not ended. */
@Command(
        name = "cancel",
        header = "Cancel tasks that have not ended; one that runs is told to stop and its outcome is refused.",
        description = {
            "Says which status each task has now. Exit code 1 if there is no such task or it had ended otherwise.",
            "With a filter it only counts, and prints the command that then cancels what was counted."
        },
        footer = {"  sweep cancel 901943132168193", "  sweep cancel --type mail --queue bulk"})
final class CancelCommand extends ChangeCommand {

    @Override
    String done() {
        return "cancelled";
    }

    @Override
    Set<TaskStatus> changeable() {
        return Set.of(TaskStatus.PENDING, TaskStatus.PROCESSING);
    }

    @Override
    TaskChange one(Sweep sweep, TaskId id) {
        return sweep.admin().cancel(id);
    }

    @Override
    String said(TaskChange change) {
        return isAsAsked(change)
                ? "task " + change.id() + " is cancelled"
                : "task " + change.id() + " had already "
                        + change.status().orElseThrow().word() + "; nothing was changed";
    }

    @Override
    boolean isAsAsked(TaskChange change) {
        return change.status().filter(TaskStatus.CANCELLED::equals).isPresent();
    }

    @Override
    BulkResult all(TaskAdmin admin, TaskSelection selection, Consumer<BulkResult> progress)
            throws InterruptedException {
        return admin.cancelAll(selection, progress);
    }
}
