package dev.sweep.cli.bench;

import java.sql.SQLException;
import java.util.List;

/** One connection of a hand-written loop. For one thread. */
interface LoopSession extends AutoCloseable {

    /** Enqueues in one transaction; an empty list of keys: without. */
    void enqueue(List<String> payloads, List<String> keys) throws SQLException;

    /** The next tasks, as many as one claim brings. */
    List<Claimed> claim() throws SQLException;

    /** The tasks have succeeded; durable when it returns. */
    void complete(List<Claimed> tasks) throws SQLException;

    @Override
    void close() throws SQLException;
}
