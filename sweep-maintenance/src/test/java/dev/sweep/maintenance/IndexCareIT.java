package dev.sweep.maintenance;

import static dev.sweep.maintenance.Installation.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.TaskType;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IndexCareIT {

    private static final Installation db = Installation.named("indexes");
    private static final IndexCare CARE = new IndexCare(1 << 20, 4);

    @AfterAll
    static void close() {
        db.close();
    }

    @BeforeEach
    void empty() {
        db.execute("truncate sweep.task_key, sweep.task_ready, sweep.task");
        db.execute("analyze sweep.task_key");
    }

    @Test
    void anIndexThatNeedsItsSizeIsLeftAlone() {
        keys(30_000);
        db.execute("analyze sweep.task_key");
        assertThat(bytes()).isGreaterThan(1 << 20);
        assertThat(db.run(CARE).rows()).isZero();
    }

    @Test
    void anIndexOfATableThatWasJustFilledIsNotTakenForBloat() {
        keys(30_000);
        until(
                "the statistics know",
                () -> db.query("select n_live_tup from pg_stat_all_tables where relid ="
                                + " 'sweep.task_key'::regclass")
                        .get(0)
                        .equals(30_000L));
        assertThat(db.run(CARE).rows()).isZero();
    }

    @Test
    void aBloatedIndexIsRebuiltUnderRunningEnqueuesAndClaims() throws Exception {
        bloat();
        AtomicBoolean isOver = new AtomicBoolean();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try {
            Future<Integer> work = threads.submit(() -> enqueueAndClaim(isOver));
            ChoreResult result = db.run(CARE);
            assertThat(result.rows()).isEqualTo(1);
            assertThat(result.note().orElseThrow()).contains("rebuilt").contains("task_key_pkey");
            isOver.set(true);
            assertThat(work.get()).as("tasks claimed meanwhile").isPositive();
            assertThat(bytes()).isLessThan(1 << 20);
            assertThat(db.run(CARE, result.position()).rows()).isZero();
        } finally {
            isOver.set(true);
            threads.shutdownNow();
        }
    }

    @Test
    void oneThatTheEstimateTakesForBloatedRightAfterItsRebuildIsNotRebuiltAgain() {
        keys(30_000);
        db.execute("analyze sweep.task_key");
        IndexCare mistaken = new IndexCare(1 << 20, 0.5);
        ChoreResult first = db.run(mistaken);
        assertThat(first.rows()).isEqualTo(1);
        assertThat(db.run(mistaken, first.position()).rows()).isZero();
    }

    @Test
    void whatAnInterruptedRebuildLeftIsRemoved() {
        db.execute("create index leftover_ccnew on sweep.task_key (id)");
        db.execute("create index leftover_ccold1 on sweep.task_key (id)");
        db.execute("create index fine_ccnew on sweep.task_key (id)");
        db.execute("update pg_index set indisvalid = false where indexrelid in"
                + " ('sweep.leftover_ccnew'::regclass, 'sweep.leftover_ccold1'::regclass)");
        try {
            assertThat(db.run(CARE).rows()).isEqualTo(2);
            assertThat(db.query("select relname from pg_class where relname like '%\\_cc%' and relnamespace = '"
                            + db.schema + "'::regnamespace"))
                    .containsExactly("fine_ccnew");
        } finally {
            db.execute("drop index sweep.fine_ccnew");
        }
    }

    @Test
    void aLeftoverIsNotTouchedWhileARebuildMayWorkOnItsTable() throws Exception {
        db.execute("create index held_ccnew on sweep.task_key (id)");
        db.execute("update pg_index set indisvalid = false where indexrelid = 'sweep.held_ccnew'::regclass");
        try (Connection rebuild = db.source.getConnection();
                Statement statement = rebuild.createStatement()) {
            rebuild.setAutoCommit(false);
            statement.execute(db.inSchema("lock table sweep.task_key in share update exclusive mode"));
            assertThat(db.run(CARE).rows()).isZero();
            rebuild.rollback();
        }
        assertThat(db.run(CARE).rows()).isEqualTo(1);
    }

    private static int enqueueAndClaim(AtomicBoolean isOver) {
        int claimed = 0;
        int n = 0;
        while (!isOver.get() || claimed == 0) {
            db.sweep.enqueue(TaskType.json("some.type").with(Json.of("{}")).dedupKey("live-" + n++));
            Claim claim = db.store.claim(
                    new ClaimRequest("w", Set.of("some.type"), Map.of("default", 10), 0, Duration.ofMinutes(1), false));
            claimed += claim.tasks().size();
        }
        return claimed;
    }

    private static void bloat() {
        keys(60_000);
        db.execute("delete from sweep.task_key where id % 100 <> 0");
        db.execute("vacuum analyze sweep.task_key");
    }

    private static void keys(int count) {
        db.execute(
                "insert into sweep.task_key (key, id) select md5(n::text) || md5(n::text), n from generate_series(1, "
                        + count + ") n");
    }

    private static long bytes() {
        return (Long) db.query("select pg_relation_size('sweep.task_key_pkey'::regclass)")
                .get(0);
    }
}
