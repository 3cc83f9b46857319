package dev.sweep.partitioning;

import java.util.List;

/**
 * What one run of the retention did.
 *
 * @param retired the ranges that are retired now
 * @param staying the ranges that are past the retention and stay, and why
 * @param repaired what was left by interrupted runs or by others, and set right: a sentence each
 */
public record RetentionReport(List<RetiredRange> retired, List<StayingRange> staying, List<String> repaired) {

    public RetentionReport {
        retired = List.copyOf(retired);
        staying = List.copyOf(staying);
        repaired = List.copyOf(repaired);
    }
}
