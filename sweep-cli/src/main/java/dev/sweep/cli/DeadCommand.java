package dev.sweep.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code sweep dead}: the parent of what is done to failed tasks; alone it prints the help. */
@Command(
        name = "dead",
        header = "Look at dead letters, the tasks that have failed for good; requeue or delete them.",
        description = "They are kept, with their payloads and failures, until retention takes them.",
        subcommands = {DeadListCommand.class, ShowCommand.class, RequeueCommand.class, DeleteCommand.class},
        footer = {
            "  sweep dead list --type mail",
            "  sweep dead show 901943132168193",
            "  sweep dead requeue --type mail"
        })
final class DeadCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
