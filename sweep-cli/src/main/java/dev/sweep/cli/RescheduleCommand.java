package dev.sweep.cli;

import dev.sweep.BulkResult;
import dev.sweep.Sweep;
import dev.sweep.TaskAdmin;
import dev.sweep.TaskChange;
import dev.sweep.TaskId;
import dev.sweep.TaskSelection;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sweep reschedule}: gives waiting tasks another due time. */
@Command(
        name = "reschedule",
        header = "Give waiting tasks another due time, such as now to those that wait for their next attempt.",
        description = {
            "Exit code 1 if there is no such task or it does not wait.",
            "With a filter it only counts, and prints the command that then changes what was counted."
        },
        footer = {
            "  sweep reschedule 901943132168193 --now",
            "  sweep reschedule --queue bulk --at 2030-01-31T22:00:00Z"
        })
final class RescheduleCommand extends MoveCommand {

    @Option(names = "--now", description = "Due now.")
    private boolean now;

    @Option(
            names = "--at",
            paramLabel = "INSTANT",
            converter = InstantConverter.class,
            description = "Due at this instant: 2030-01-31T08:00:00Z.")
    private @Nullable Instant at;

    @Override
    void check() {
        if (now == (at != null)) {
            throw CliException.badInput("say when: --now or --at INSTANT; one of both");
        }
    }

    @Override
    String done() {
        return at == null ? "made due now" : "made due at " + at;
    }

    @Override
    TaskChange one(Sweep sweep, TaskId id) {
        return at == null ? sweep.admin().retryNow(id) : sweep.admin().reschedule(id, at);
    }

    @Override
    BulkResult all(TaskAdmin admin, TaskSelection selection, Consumer<BulkResult> progress)
            throws InterruptedException {
        return at == null ? admin.retryAllNow(selection, progress) : admin.rescheduleAll(selection, at, progress);
    }
}
