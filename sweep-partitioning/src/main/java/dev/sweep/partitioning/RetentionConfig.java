package dev.sweep.partitioning;

import java.time.Duration;

/** The settings of a {@link PartitionRetention}, checked. */
record RetentionConfig(Duration finishedFor, TableFate fate) {}
