package dev.sweep.cli.bench;

/**
 * What a schema holds before a measurement begins.
 *
 * @param waiting tasks that are due
 * @param finished tasks that have succeeded
 * @param partitions how many weeks hold them, evenly; 0: there are no partitions
 * @param payload JSON text, the same for all
 */
public record Stock(long waiting, long finished, int partitions, String payload) {}
