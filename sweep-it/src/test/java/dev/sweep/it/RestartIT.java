package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.event.TaskEvent.AttemptInterrupted;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;

/** Case B70: PostgreSQL crashes under a worker, and comes back. */
class RestartIT {

    private static final int HELD = 4;

    @RegisterExtension
    static final Database db = Database.onItsOwnServer("restart");

    @Test
    void aWorkerOutlivesARestart() {
        try (OutageRun run = OutageRun.started(db, db.sweep)) {
            run.enqueueMore();
            db.own.stopAtOnce();
            db.own.startAgain();
            run.goOn();
            run.nothingWasLostOrCounted(1);
            run.eachFaultWasToldOnce(1);
        }
    }

    @Test
    void aWorkerOutlivesFiveRestartsInARow() {
        try (OutageRun run = OutageRun.started(db, db.sweep)) {
            for (int i = 0; i < 5; i++) {
                run.enqueueMore();
                db.own.stopAtOnce();
                db.own.startAgain();
            }
            run.goOn();
            run.nothingWasLostOrCounted(5);
            run.eachFaultWasToldOnce(5);
        }
    }

    /** Without a pool, which would hold back who asks: they have to hold back themselves. */
    @Test
    void aDowntimeLongerThanTheLeaseIsWaitedForWithoutHaste() {
        PGSimpleDataSource unpooled = (PGSimpleDataSource) db.server.dataSource();
        unpooled.setUser(OwnServer.APP);
        CountingSource counting = new CountingSource(unpooled);
        try (OutageRun run = OutageRun.started(db, db.anotherSweep(counting.source()))) {
            run.enqueueMore();
            db.own.stopAtOnce();
            int before = counting.asked();
            db.events.await(AttemptInterrupted.class, HELD);
            int tries = counting.asked() - before;
            db.own.startAgain();
            run.goOn();
            run.nothingWasLostOrCounted(1);
            run.eachFaultWasToldOnce(1);
            // Two seconds of lease: a hundred beats that fail, few other tries; thousands if one of the loops ran hot.
            assertThat(tries).isBetween(3, 500);
        }
    }
}
