package dev.sweep.cli.bench;

import java.sql.SQLException;
import java.util.List;

/** Enqueues for a contender, on connections that it keeps. Thread-safe if it was made for several threads. */
public interface Producer extends AutoCloseable {

    /**
     * Enqueues a batch of tasks that do nothing, in one transaction; durable when it returns.
     *
     * @param payloads JSON texts
     * @param keys one dedup key for each; empty: without
     */
    void enqueueAll(List<String> payloads, List<String> keys) throws SQLException;

    /** Enqueues one task in a transaction of its own; durable when it returns, and workers are told as they usually are. */
    void enqueue(String payload) throws SQLException;

    @Override
    void close() throws SQLException;
}
