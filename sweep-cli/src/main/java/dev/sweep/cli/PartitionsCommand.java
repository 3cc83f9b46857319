package dev.sweep.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code sweep partitions}: the parent of what is done to partitions; alone it prints the help. */
@Command(
        name = "partitions",
        header = "Keep tasks in partitions by week, day or month: on, off, ahead, retire, and what there is.",
        description =
                "For high volume: finished weeks go as a whole, and claims never look into them. They can be switched"
                        + " on at any time, while tasks are enqueued and run.",
        subcommands = {
            PartitionsListCommand.class,
            PartitionsOnCommand.class,
            PartitionsAheadCommand.class,
            PartitionsOffCommand.class,
            PartitionsRetireCommand.class,
            PartitionsRestoreCommand.class
        },
        footer = {
            "  sweep partitions on --period week --dry-run",
            "  sweep partitions on --period week",
            "  sweep partitions list"
        })
final class PartitionsCommand implements Runnable {

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }
}
