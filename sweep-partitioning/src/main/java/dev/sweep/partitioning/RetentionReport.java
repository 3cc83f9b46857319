package dev.sweep.partitioning;

import java.util.List;

/**
 * What one run of the retention did.
 *
 * @param retired the ranges that are retired now
 * @param staying the ranges that are past the retention and stay, and why
 * @param repaired what was left by interrupted runs or by others, and set right: a sentence each
 * @param failed those of the staying ones that did not come further because of an error which does not pass by itself
 */
public record RetentionReport(
        List<RetiredRange> retired, List<StayingRange> staying, List<String> repaired, List<StayingRange> failed) {

    public RetentionReport {
        retired = List.copyOf(retired);
        staying = List.copyOf(staying);
        repaired = List.copyOf(repaired);
        failed = List.copyOf(failed);
    }

    /** Of a run without errors. */
    public RetentionReport(List<RetiredRange> retired, List<StayingRange> staying, List<String> repaired) {
        this(retired, staying, repaired, List.of());
    }

    /** Whether someone should be told: at least one range met an error. The others were seen to all the same. */
    public boolean hasFailed() {
        return !failed.isEmpty();
    }
}
