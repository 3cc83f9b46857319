package dev.sweep.cli;

import dev.sweep.partitioning.PartitionManagerBuilder;
import picocli.CommandLine.Option;

/** How far ahead partitions are created. */
final class AheadOption {

    @Option(
            names = "--ahead",
            paramLabel = "N",
            defaultValue = "4",
            description = "How many are created beyond the present one. Default: 4.")
    private int ahead;

    /** The number, checked; before anything is opened. */
    int periods() {
        if (ahead < 1 || ahead > PartitionManagerBuilder.MAX_AHEAD) {
            throw CliException.badInput(
                    "--ahead " + ahead + " is out of range; use 1 to " + PartitionManagerBuilder.MAX_AHEAD);
        }
        return ahead;
    }
}
