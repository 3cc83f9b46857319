package dev.sweep.cli;

import dev.sweep.TaskChange;
import dev.sweep.TaskStatus;
import java.util.Set;

/** A command that gives waiting tasks another place. */
abstract class MoveCommand extends ChangeCommand {

    @Override
    final Set<TaskStatus> changeable() {
        return Set.of(TaskStatus.PENDING);
    }

    @Override
    final String said(TaskChange change) {
        return isAsAsked(change)
                ? "task " + change.id() + " is " + done()
                : "task " + change.id() + " is " + change.status().orElseThrow().word() + "; only waiting tasks can be "
                        + done() + "; nothing was changed";
    }

    @Override
    final boolean isAsAsked(TaskChange change) {
        return change.kind() == TaskChange.Kind.CHANGED;
    }
}
