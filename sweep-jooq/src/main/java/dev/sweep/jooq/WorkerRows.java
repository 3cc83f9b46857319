package dev.sweep.jooq;

import dev.sweep.KnownWorker;
import dev.sweep.WorkerPresence;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jooq.Record;

/** Shows workers to people. Written on the session of the heartbeats, so that it takes no connection of its own. */
final class WorkerRows {

    private final HotSession beats;
    private final StoreDatabase database;
    private final TaskStatements statements;

    WorkerRows(HotSession beats, StoreDatabase database, TaskStatements statements) {
        this.beats = beats;
        this.database = database;
        this.statements = statements;
    }

    void present(WorkerPresence presence) {
        write(
                statements.presentWorker(),
                statement -> SqlArrays.into(statement)
                        .scalar(presence.name())
                        .scalar(presence.host())
                        .scalar(presence.pid())
                        .scalar(presence.version())
                        .scalar(presence.slots())
                        .scalar(presence.listening())
                        .texts(presence.queues())
                        .texts(presence.types()));
    }

    void stopped(String worker) {
        write(statements.stopWorker(), statement -> SqlArrays.into(statement).scalar(worker));
    }

    /** Gives way to whoever holds the table: a heartbeat may be next, and can't wait. */
    private void write(String sql, Parameters parameters) {
        beats.transaction(connection -> {
            try (Statement limit = connection.createStatement();
                    PreparedStatement statement = connection.prepareStatement(sql)) {
                limit.execute("set local lock_timeout = '100ms'");
                parameters.bind(statement);
                return statement.executeUpdate();
            }
        });
    }

    /** What a statement is about. */
    @FunctionalInterface
    private interface Parameters {

        void bind(PreparedStatement statement) throws SQLException;
    }

    List<KnownWorker> known() {
        return database.inTransaction(
                Limits.OF_ROWS, sql -> sql.fetch(statements.workers()).map(WorkerRows::workerOf));
    }

    private static KnownWorker workerOf(Record row) {
        return new KnownWorker(
                new WorkerPresence(
                        row.get("id", String.class),
                        row.get("host", String.class),
                        row.get("pid", Long.class),
                        row.get("version", String.class),
                        row.get("slots", Integer.class),
                        row.get("listening", String.class),
                        List.of(row.get("queues", String[].class)),
                        List.of(row.get("types", String[].class))),
                row.get("started_at", OffsetDateTime.class).toInstant(),
                row.get("seen_at", OffsetDateTime.class).toInstant(),
                Optional.ofNullable(row.get("stopped_at", OffsetDateTime.class)).map(OffsetDateTime::toInstant));
    }
}
