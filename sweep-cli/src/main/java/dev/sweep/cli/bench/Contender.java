package dev.sweep.cli.bench;

import java.sql.SQLException;
import java.util.Set;

/**
 * SPI: a task queue that takes part in the bench. Others than those of this package are found by
 * {@link java.util.ServiceLoader}; the bench makes one instance in each of its processes, so a contender keeps its state in
 * its schema. The bench drops that schema in the end.
 */
public interface Contender {

    /** Its name on the command line: lower case, without spaces. */
    String name();

    /** Whether the others are told as ratios to it. */
    default boolean isReference() {
        return false;
    }

    /** What it can't do. */
    default Set<Ability> lacks() {
        return Set.of();
    }

    /** How its workers and producers are set up, for people. */
    String setup();

    /**
     * Makes what it needs in a schema that does not exist yet, and fills it by set-based SQL. Vacuum and statistics are left
     * to the bench.
     */
    void create(Place place, Stock stock) throws SQLException;

    /** Counts its tasks. */
    Census census(Place place) throws SQLException;

    /**
     * A producer in this process, connected.
     *
     * @param threads how many threads will use it at once
     */
    Producer producer(Place place, int threads) throws SQLException;

    /**
     * A worker in this process, connected, for tasks that do nothing.
     *
     * @param concurrency how many tasks may run at once, if that can be said; 0: its own default
     */
    TaskLoop worker(Place place, int concurrency, Progress progress) throws SQLException;

    /** A loop of whole lives in this process, connected; only asked for if {@link Ability#BATCHES} is not lacking. */
    BatchLoop batches(Place place, int batch) throws SQLException;
}
