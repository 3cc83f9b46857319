package dev.sweep.cli.bench;

import java.sql.SQLException;
import java.util.List;

/** The whole life of tasks on one connection, batch by batch. For one thread. */
public interface BatchLoop extends AutoCloseable {

    /**
     * Enqueues a batch, claims as many and completes them.
     *
     * @param payloads JSON texts, one for each task; empty: only claims and completes what others left
     * @return how many were completed
     */
    int turn(List<String> payloads) throws SQLException;

    @Override
    void close() throws SQLException;
}
