package dev.sweep.partitioning;

import java.util.List;

/**
 * A range that is past its retention and stays for now.
 *
 * @param why for people, and what would help
 * @param stragglers the first {@value RetirementStatements#MOST_STRAGGLERS} tasks of each kind that keep it; empty if
 *     something else does
 */
public record StayingRange(String name, String why, List<Straggler> stragglers) {

    public StayingRange {
        stragglers = List.copyOf(stragglers);
    }
}
