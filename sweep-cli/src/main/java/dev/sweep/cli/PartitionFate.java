package dev.sweep.cli;

import dev.sweep.maintenance.MaintenanceBuilder;
import dev.sweep.partitioning.PartitionRetentionBuilder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What becomes of the tables of retired partitions: one of three options, or none of them. */
final class PartitionFate {

    @Option(names = "--drop", description = "Drop the tables of retired partitions. The default.")
    private boolean isDrop;

    @Option(names = "--keep", description = "Keep them in the schema as tables of their own.")
    private boolean isKeep;

    @Option(
            names = "--export",
            paramLabel = "DIR",
            description = "Write them to this folder of this machine as compressed CSV, then drop them.")
    private @Nullable Path folder;

    static PartitionRetentionBuilder applied(@Nullable PartitionFate chosen, PartitionRetentionBuilder settings) {
        if (chosen == null || chosen.isDrop) {
            return settings.thenDrop();
        }
        Path folder = chosen.folder;
        return chosen.isKeep || folder == null ? settings.thenKeep() : settings.thenExport(folder);
    }

    /** None of them leaves what was set before. */
    static MaintenanceBuilder applied(@Nullable PartitionFate chosen, MaintenanceBuilder settings) {
        if (chosen == null) {
            return settings;
        }
        Path folder = chosen.folder;
        if (folder != null) {
            return settings.exportOldPartitions(folder);
        }
        return chosen.isKeep ? settings.keepOldPartitions() : settings.dropOldPartitions();
    }
}
