package dev.sweep.maintenance;

import dev.sweep.StoreException;
import dev.sweep.partitioning.PartitionRetention;
import dev.sweep.partitioning.PartitionRetentionBuilder;
import dev.sweep.partitioning.RetentionReport;
import dev.sweep.partitioning.StayingRange;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Retires partitions that are past the retention of finished tasks; nothing to do where there never were any. */
final class OldPartitions implements Chore {

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
        Retention settings = policy.of(context.database());
        RetentionReport report = report(context, settings);
        if (report.hasFailed()) {
            throw new StoreException("partitions could not be retired: " + told(report.failed()), null);
        }
        ChoreResult done = ChoreResult.done(report.retired().size());
        List<String> notes = new ArrayList<>();
        if (isWithoutFolder(settings)) {
            notes.add(
                    "old partitions are to be exported, and this process was given no folder for it; run sweep partitions"
                            + " retire --export DIR, or let a process lead that has one");
        }
        if (!report.staying().isEmpty()) {
            notes.add(told(report.staying()));
        }
        return notes.isEmpty() ? done : done.noting(String.join("; ", notes));
    }

    /** What is unfinished is set right also where nothing can be exported: live tasks may be hidden by it. */
    private RetentionReport report(ChoreContext context, Retention settings) {
        PartitionRetentionBuilder builder =
                PartitionRetention.builder(context.store()).finishedFor(settings.ofPartitions());
        if (isWithoutFolder(settings)) {
            return builder.thenKeep().build().repair(context::isTimeUp);
        }
        Path target = folder;
        if (settings.oldPartitions() == Retention.Fate.EXPORT && target != null) {
            builder.thenExport(target);
        } else if (settings.oldPartitions() == Retention.Fate.DROP) {
            builder.thenDrop();
        } else {
            builder.thenKeep();
        }
        return builder.build().run(context::isTimeUp);
    }

    private boolean isWithoutFolder(Retention settings) {
        return settings.oldPartitions() == Retention.Fate.EXPORT && folder == null;
    }

    private static String told(List<StayingRange> ranges) {
        return ranges.stream()
                .map(range -> range.name() + " stays: " + range.why())
                .collect(Collectors.joining("; "));
    }
}
