package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.spi.ClaimRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a claim reads while much lies before what it can take. A full look reads all of that, once; what follows begins at
 * the floors that it has found, until the next full look, twenty times as long later. Within a rank a floor lies 250 ms before
 * the last entry that was taken, so entries that were due so shortly before it are read again.
 */
class FloorsIT {

    /** So many that a full look is slow, on any machine. */
    private static final long AHEAD = Math.max(300_000, Long.getLong("sweep.test.scale.waiting", 0));

    private static final int OURS = 2_000;
    private static final int ROOM = 100;
    /** The first version whose sessions tell when they are asked to. */
    private static final int FORCES_FLUSH = 150_000;

    private final Database db = Database.named("floors");
    private final TableCounters counters = new TableCounters(db);

    @BeforeEach
    void open() {
        db.open();
        db.store = db.newStore();
        assumeThat(db.server.versionNum()).isGreaterThanOrEqualTo(FORCES_FLUSH);
        db.execute("alter table sweep.task_ready set (autovacuum_enabled = off)");
        db.execute("""
                with made as (
                    select sweep.id_at(at, n + 2000000) as id, at, n
                    from (select now() - interval '1 hour' + n * interval '100 ms' as at, n
                          from generate_series(1, %d) n) m
                ), stored as (
                    insert into sweep.task (id, created_at, due_at, priority, type, payload)
                    select id, at, at, 5, 't', '{}' from made
                )
                insert into sweep.task_ready (queue, rank, due_at, id, type) select 'default', 5, at, id, 't' from made
                """.formatted(OURS));
    }

    @AfterEach
    void drop() {
        db.store.close();
        db.drop();
    }

    @Test
    void entriesOfTypesThatNobodyHereRunsAreReadOnce() {
        insertAhead("foreign");

        judge();
    }

    @Test
    void deadEntriesThatASnapshotPinsAreReadOnce() throws SQLException {
        insertAhead("t");
        try (Connection snapshot = db.server.dataSource().getConnection()) {
            snapshot.setAutoCommit(false);
            snapshot.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            assertThat(db.query(snapshot, "select count(*) from sweep.task_ready where rank = 0"))
                    .containsExactly(AHEAD);
            db.execute("delete from sweep.task_ready where rank = 0");

            judge();
            snapshot.rollback();
        }
    }

    private static void note(String what, TableCounters.Touched touched) {
        System.out.printf(
                "floors: %,d ahead, %s: %,d rows, %,d buffers%n", AHEAD, what, touched.rows(), touched.buffers());
    }

    private void judge() {
        try (CountedStore counted = CountedStore.open(db, "")) {
            TableCounters.Touched full = counters.during(counted, store -> claim(store, true));
            note("full look", full);
            assertThat(full.rows()).as("rows of a full look").isBetween(AHEAD, AHEAD + HotStatement.CLAIM.rows);
            for (int again = 0; again < 5; again++) {
                TableCounters.Touched next = counters.during(counted, store -> claim(store, false));
                note("from the floors", next);
                assertThat(next.rows())
                        .as("rows of claim %s from the floors", again)
                        .isLessThan(HotStatement.CLAIM.rows);
            }
        }
    }

    private static void claim(JooqTaskStore store, boolean afresh) {
        assertThat(store.claim(new ClaimRequest(
                                "w", Set.of("t"), Map.of("default", ROOM), 0, Duration.ofMinutes(30), afresh))
                        .tasks())
                .hasSize(ROOM);
    }

    /** Before all that is ours: more urgent, and due earlier. */
    private void insertAhead(String type) {
        db.execute("insert into sweep.task_ready (queue, rank, due_at, id, type)"
                + " select 'default', 0, now() - interval '1 day', n, '" + type + "' from generate_series(1, " + AHEAD
                + ") n");
    }
}
