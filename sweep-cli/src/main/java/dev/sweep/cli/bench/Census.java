package dev.sweep.cli.bench;

/**
 * The tasks of a schema, counted by SQL.
 *
 * @param open those that wait or run
 * @param succeeded those that have ended well
 */
public record Census(long open, long succeeded) {}
