package dev.sweep.maintenance;

import dev.sweep.StoreException;
import dev.sweep.partitioning.PartitionRetention;
import dev.sweep.partitioning.PartitionRetentionBuilder;
import dev.sweep.partitioning.RetentionReport;
import dev.sweep.partitioning.StayingRange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Retires partitions that are past the retention of finished tasks; nothing to do where there never were any. */
final class OldPartitions implements Chore {

    /** Shorter ones are for rows: a partition is not looked at in the minute after its end. */
    private static final Duration SHORTEST = Duration.ofMinutes(1);

    private final RetentionPolicy policy;
    private final @Nullable Path folder;

    /** @param folder where this process may export to; null: nowhere */
    OldPartitions(RetentionPolicy policy, @Nullable Path folder) {
        this.policy = policy;
        this.folder = folder;
    }

    @Override
    public String name() {
        return "old-partitions";
    }

    @Override
    public Duration interval() {
        return Duration.ofHours(1);
    }

    @Override
    public ChoreResult run(ChoreContext context) {
        Retention retention = policy.of(context.database());
        Duration longest = retention.longestOfFinished();
        PartitionRetentionBuilder settings = PartitionRetention.builder(context.store())
                .finishedFor(longest.compareTo(SHORTEST) < 0 ? SHORTEST : longest);
        switch (retention.oldPartitions()) {
            case DROP -> settings.thenDrop();
            case KEEP -> settings.thenKeep();
            case EXPORT -> {
                if (folder == null) {
                    return ChoreResult.done(0)
                            .noting("old partitions are to be exported, and this process was given no folder for it;"
                                    + " run sweep partitions retire --export DIR, or let a process lead that has one");
                }
                settings.thenExport(folder);
            }
        }
        RetentionReport report = settings.build().run(context::isTimeUp);
        if (report.hasFailed()) {
            throw new StoreException("partitions could not be retired: " + told(report.failed()), null);
        }
        return noted(ChoreResult.done(report.retired().size()), report);
    }

    private static ChoreResult noted(ChoreResult result, RetentionReport report) {
        return report.staying().isEmpty() ? result : result.noting(told(report.staying()));
    }

    private static String told(List<StayingRange> ranges) {
        return ranges.stream()
                .map(range -> range.name() + " stays: " + range.why())
                .collect(Collectors.joining("; "));
    }
}
