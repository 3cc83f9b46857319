package dev.sweep.cli.bench;

import java.sql.SQLException;

/** A worker of a contender in this process; it has connected, and does nothing before it is started. */
public interface TaskLoop extends AutoCloseable {

    /** Begins to claim and handle, on threads of its own; returns at once. */
    void start() throws SQLException;

    /** Stops and returns when everything it claimed has ended or waits again. */
    @Override
    void close() throws SQLException;
}
