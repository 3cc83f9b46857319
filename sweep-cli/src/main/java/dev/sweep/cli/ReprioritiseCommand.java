package dev.sweep.cli;

import dev.sweep.BulkResult;
import dev.sweep.Sweep;
import dev.sweep.TaskAdmin;
import dev.sweep.TaskChange;
import dev.sweep.TaskId;
import dev.sweep.TaskSelection;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sweep reprioritise}: gives waiting tasks another priority. */
@Command(
        name = "reprioritise",
        header = "Give waiting tasks another priority; they keep it until they end.",
        description = {
            "Exit code 1 if there is no such task or it does not wait.",
            "With a filter it only counts, and prints the command that then changes what was counted."
        },
        footer = {"  sweep reprioritise 901943132168193 --priority 10", "  sweep reprioritise --type mail --priority 2"
        })
final class ReprioritiseCommand extends MoveCommand {

    private static final int MIN = 1;
    private static final int MAX = 10;

    @Option(
            names = "--priority",
            paramLabel = "1..10",
            required = true,
            description = "The new priority; 10 is the most urgent.")
    private int priority;

    @Override
    void check() {
        if (priority < MIN || priority > MAX) {
            throw CliException.badInput(
                    "priority " + priority + " is out of range; use 1 to 10 (10 is the most urgent)");
        }
    }

    @Override
    String done() {
        return "given priority " + priority;
    }

    @Override
    TaskChange one(Sweep sweep, TaskId id) {
        return sweep.admin().reprioritise(id, priority);
    }

    @Override
    BulkResult all(TaskAdmin admin, TaskSelection selection, Consumer<BulkResult> progress)
            throws InterruptedException {
        return admin.reprioritiseAll(selection, priority, progress);
    }
}
