package dev.sweep.cli;

import dev.sweep.maintenance.MaintenanceBuilder;
import dev.sweep.maintenance.Retention;
import dev.sweep.partitioning.PartitionRetentionBuilder;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What becomes of the tables of retired partitions: one of three options, or none of them. */
final class PartitionFate {

    @Option(
            names = "--drop",
            description = "Drop the tables of retired partitions. The default, until something else is set.")
    private boolean isDrop;

    @Option(names = "--keep", description = "Keep them in the schema as tables of their own.")
    private boolean isKeep;

    @Option(
            names = "--export",
            paramLabel = "DIR",
            description = "Write them to this folder of this machine as compressed CSV, then drop them.")
    private @Nullable Path folder;

    /** What is stored holds unless one was given; empty if that is to export, since a folder is this machine's to name. */
    static Optional<PartitionRetentionBuilder> applied(
            @Nullable PartitionFate chosen, Retention.Fate stored, PartitionRetentionBuilder settings) {
        if (chosen == null) {
            return switch (stored) {
                case DROP -> Optional.of(settings.thenDrop());
                case KEEP -> Optional.of(settings.thenKeep());
                case EXPORT -> Optional.empty();
            };
        }
        Path folder = chosen.folder;
        if (folder != null) {
            return Optional.of(settings.thenExport(folder));
        }
        return Optional.of(chosen.isKeep ? settings.thenKeep() : settings.thenDrop());
    }

    /** Whether it was asked for in so many words. */
    static boolean isDrop(@Nullable PartitionFate chosen) {
        return chosen != null && chosen.isDrop;
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
