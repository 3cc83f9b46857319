package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.event.TaskEvent.AttemptGivenUp;
import dev.sweep.event.TaskEvent.LoopFailed;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PostgreSQL is there, but does not serve. */
class OutagesIT {

    @RegisterExtension
    static final Database db = Database.onItsOwnServer("outages");

    /** Case B67: sessions are not ended when the database may be written again; those that can't must be given up. */
    @Test
    void aDatabaseThatMayOnlyBeReadForAWhile() {
        try (OutageRun run = OutageRun.started(db, db.sweep)) {
            run.enqueueMore();
            db.own.execute("alter database postgres set default_transaction_read_only = on");
            db.own.terminateSessions();
            db.events.await(LoopFailed.class, 4);
            fillThePoolWithSessionsThatMayOnlyRead();
            db.own.execute("alter database postgres reset default_transaction_read_only");
            run.goOn();
            run.nothingWasLostOrCounted(1);
            // Connections that were cut, and then new ones that may only read.
            run.eachFaultWasToldOnce(2);
            db.sweep.pauseQueue("another");
            db.sweep.resumeQueue("another");
        }
    }

    private static void fillThePoolWithSessionsThatMayOnlyRead() {
        try (Connection first = db.source.getConnection();
                Connection second = db.source.getConnection();
                Connection third = db.source.getConnection()) {
            for (Connection connection : List.of(first, second, third)) {
                assertThat(db.query(connection, "show transaction_read_only")).containsExactly("on");
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"nologin, login", "connection limit 0, connection limit -1"})
    void aDatabaseThatLetsNobodyIn(String shut, String open) {
        try (OutageRun run = OutageRun.started(db, db.sweep)) {
            run.enqueueMore();
            db.own.execute("alter role app " + shut);
            db.own.terminateSessions();
            db.events.await(LoopFailed.class, 3);
            db.own.execute("alter role app " + open);
            run.goOn();
            run.nothingWasLostOrCounted(1);
            run.eachFaultWasToldOnce(1);
        }
    }

    /**
     * All of these would be raised by PostgreSQL itself; here a trigger raises them, for each statement that writes to the
     * table, until it is dropped.
     */
    @ParameterizedTest
    @CsvSource({
        "task_outcome, 53100",
        "task_ready, 53100",
        "task_running, 53100",
        "task_lease, 53100",
        "stat_delta, 53100",
        "task_outcome, 53200",
        "task_outcome, 58030",
        "task_outcome, 57014",
        "task_outcome, 40001",
        "task_outcome, 40P01",
        "task_outcome, 55P03",
        "task_running, 53400",
        "task_running, 40001",
        "task_lease, 40P01",
        "task_lease, XX000",
    })
    void aTableThatCanNotBeWrittenForAWhile(String table, String state) {
        try (OutageRun run = OutageRun.started(db, db.sweep)) {
            run.enqueueMore();
            db.execute("create or replace function sweep.refuse() returns trigger language plpgsql as"
                    + " $$ begin raise exception 'refused' using errcode = '" + state + "'; end $$");
            db.execute("create trigger refuse before insert or update or delete on sweep." + table
                    + " for each statement execute function sweep.refuse()");
            Awaiting.until(
                    "someone has noticed",
                    () -> !db.events.of(LoopFailed.class).isEmpty()
                            || db.events.of(AttemptGivenUp.class).size() > 4);
            db.execute("drop trigger refuse on sweep." + table);
            run.goOn();
            run.nothingWasLostOrCounted(0);
            assertThat(db.count("sweep.task_failure")).isZero();
        }
    }

    /** The server ends whatever waits for a lock: by 57P01 with the session, by 57014 only the statement. */
    @ParameterizedTest
    @CsvSource({
        "queue, pg_terminate_backend",
        "task_ready, pg_terminate_backend",
        "task_running, pg_terminate_backend",
        "task_lease, pg_terminate_backend",
        "stat_delta, pg_terminate_backend",
        "task_outcome, pg_terminate_backend",
        "queue, pg_cancel_backend",
        "task_running, pg_cancel_backend",
        "task_lease, pg_cancel_backend",
        "stat_delta, pg_cancel_backend",
    })
    void statementsThatWaitAndAreEnded(String table, String end) throws SQLException {
        try (OutageRun run = OutageRun.started(db, db.sweep)) {
            run.enqueueMore();
            try (Connection locking = db.server.dataSource().getConnection()) {
                locking.setAutoCommit(false);
                db.execute(locking, "lock table sweep." + table + " in access exclusive mode");
                for (int round = 0; round < 3; round++) {
                    Awaiting.until("someone waits and is ended", () -> endWaiting(end));
                }
                locking.rollback();
            }
            run.goOn();
            run.nothingWasLostOrCounted(3);
        }
    }

    private static boolean endWaiting(String end) {
        return db.count("(select " + end + "(pid) from pg_stat_activity where wait_event_type = 'Lock'"
                        + " and usename = '" + OwnServer.APP + "') e")
                > 0;
    }

    @ParameterizedTest
    @ValueSource(strings = {"pg_terminate_backend", "pg_cancel_backend"})
    void sessionsThatAreEndedAtAnyMoment(String end) {
        try (OutageRun run = OutageRun.started(db, db.sweep)) {
            for (int round = 0; round < 10; round++) {
                run.enqueueMore();
                db.own.execute("select " + end + "(pid) from pg_stat_activity where usename = 'app'"
                        + " and query not like '%fx values%'");
            }
            run.goOn();
            // A cancel that was meant for another statement may hit the handler's own, which is then its own failure.
            run.nothingWasLostOrCounted(10, "canceling statement due to user request");
        }
    }
}
