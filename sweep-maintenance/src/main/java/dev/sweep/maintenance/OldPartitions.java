package dev.sweep.maintenance;

import dev.sweep.partitioning.PartitionRetention;
import dev.sweep.partitioning.PartitionRetentionBuilder;
import dev.sweep.partitioning.RetentionReport;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Retires partitions that are past the retention of finished tasks; nothing to do where there never were any. */
final class OldPartitions implements Chore {

    /** Shorter ones are for rows: a partition is not looked at in the minute after its end. */
    private static final Duration SHORTEST = Duration.ofMinutes(1);

    private final Duration finishedFor;
    private final UnaryOperator<PartitionRetentionBuilder> settings;

    OldPartitions(Retention retention, UnaryOperator<PartitionRetentionBuilder> settings) {
        Duration longest = retention.longestOfFinished();
        this.finishedFor = longest.compareTo(SHORTEST) < 0 ? SHORTEST : longest;
        this.settings = settings;
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
        PartitionRetention retention = settings.apply(
                        PartitionRetention.builder(context.store()).finishedFor(finishedFor))
                .build();
        RetentionReport report = retention.run();
        return noted(ChoreResult.done(report.retired().size()), report);
    }

    private static ChoreResult noted(ChoreResult result, RetentionReport report) {
        return report.staying().isEmpty()
                ? result
                : result.noting(report.staying().stream()
                        .map(staying -> staying.name() + " stays: " + staying.why())
                        .collect(Collectors.joining("; ")));
    }
}
