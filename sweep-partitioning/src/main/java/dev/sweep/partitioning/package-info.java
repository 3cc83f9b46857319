/**
 * Partitions of {@code task}, {@code task_outcome} and {@code task_failure} by the time of creation, for high volume: a
 * {@link dev.sweep.partitioning.PartitionPeriod} says which {@link dev.sweep.partitioning.PartitionRange} an instant lies in;
 * {@link dev.sweep.partitioning.PartitionManager} creates ranges ahead, bounds the one unbounded leaf of a plain installation
 * while it is in use, and retires what is past its retention. What is there is read from PostgreSQL's catalog each time
 * ({@code PartitionCatalog}); only what the catalog can't know is kept in {@code partition_plan} and
 * {@code partition_retired}.
 */
@NullMarked
package dev.sweep.partitioning;

import org.jspecify.annotations.NullMarked;
