package dev.sweep.maintenance;

import static dev.sweep.maintenance.Installation.daysAgo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sweep.Json;
import dev.sweep.TaskType;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FinishedPurgerIT {

    private static final Installation db = Installation.named("finished");
    private static final FinishedPurger PURGER = new FinishedPurger(database -> Retention.DEFAULT);

    @AfterAll
    static void close() {
        db.close();
    }

    @BeforeEach
    void empty() {
        db.execute("truncate sweep.task, sweep.task_outcome, sweep.task_failure, sweep.task_ready, sweep.task_running,"
                + " sweep.task_key, sweep.stat_delta, sweep.dead_letter");
    }

    @Test
    void onlySucceededAndCancelledTasksGoWhoseEndIsPastTheRetention() {
        db.ended("kept-succeeded-", 1, "30 days", "6 days 23 hours 59 minutes", "succeeded");
        db.ended("gone-succeeded-", 1, "30 days", "7 days 1 minute", "succeeded");
        db.ended("kept-cancelled-", 1, "30 days", "6 days 23 hours 59 minutes", "cancelled");
        db.ended("gone-cancelled-", 1, "30 days", "7 days 1 minute", "cancelled");
        db.ended("kept-failed-", 1, "30 days", "29 days", "failed");
        db.ended("kept-recent-", 1, "30 days", "1 hour", "succeeded");
        db.sweep.enqueue(TaskType.json("some.type").with(Json.of("{}")).dedupKey("kept-waiting"));

        assertThat(db.run(PURGER)).isEqualTo(ChoreResult.done(2));

        assertThat(db.query("select dedup_key from sweep.task order by dedup_key"))
                .containsExactly(
                        "kept-cancelled-1", "kept-failed-1", "kept-recent-1", "kept-succeeded-1", "kept-waiting");
        assertThat(db.query("select key from sweep.task_key order by key"))
                .containsExactly(
                        "kept-cancelled-1", "kept-failed-1", "kept-recent-1", "kept-succeeded-1", "kept-waiting");
        assertThat(db.count("sweep.task_outcome")).isEqualTo(4);
        assertThat(db.count("sweep.task_failure")).isEqualTo(4);
    }

    @Test
    void eachStatusHasARetentionOfItsOwn() {
        db.ended("s-", 1, "3 days", "2 days", "succeeded");
        db.ended("c-", 1, "3 days", "2 days", "cancelled");
        Duration day = Duration.ofDays(1);
        Duration week = Duration.ofDays(7);
        assertThat(db.run(new FinishedPurger(database -> new Retention(week, day, week, Retention.Fate.DROP)))
                        .rows())
                .isEqualTo(1);
        assertThat(db.query("select status from sweep.task_outcome")).containsExactly("succeeded");
        assertThat(db.run(new FinishedPurger(database -> new Retention(day, week, week, Retention.Fate.DROP)))
                        .rows())
                .isEqualTo(1);
        assertThat(db.count("sweep.task_outcome")).isZero();
    }

    @Test
    void theTotalsLoseWhatWasAddedToThem() {
        db.ended("old-", 3, "30 days", "20 days", "succeeded");
        db.ended("new-", 2, "2 days", "1 day", "succeeded");
        db.ended("gone-", 4, "30 days", "20 days", "cancelled");
        db.run(PURGER);
        assertThat(db.query("""
                        select status || ' ' || sum(tasks) || ' ' || sum(run_micros) from sweep.stat_delta
                        group by status order by status
                        """)).containsExactly("cancelled 0 0", "succeeded 2 6000000");
    }

    @Test
    void aKeyThatAnotherTaskTookOverStays() {
        db.ended("k-", 1, "30 days", "20 days", "succeeded");
        db.execute("update sweep.task_key set id = 42");
        db.run(PURGER);
        assertThat(db.count("sweep.task")).isZero();
        assertThat(db.query("select id from sweep.task_key")).containsExactly(42L);
    }

    @Test
    void aTaskWhoseKeyAnEnqueueJudgesRightNowIsLeftForTheNextWalk() throws SQLException {
        db.ended("k-", 2, "30 days", "20 days", "succeeded");
        try (Connection enqueue = db.source.getConnection();
                Statement statement = enqueue.createStatement()) {
            enqueue.setAutoCommit(false);
            statement.execute(db.inSchema("select from sweep.task_key where key = 'k-1' for update"));
            assertThat(db.run(PURGER).rows()).isEqualTo(1);
            assertThat(db.query("select dedup_key from sweep.task")).containsExactly("k-1");
            enqueue.rollback();
        }
        assertThat(db.run(PURGER).rows()).isEqualTo(1);
    }

    @Test
    void outcomesWithoutATaskAreToldAndLeft() {
        db.ended("odd-", 1, "30 days", "20 days", "succeeded");
        db.ended("k-", 1, "30 days", "20 days", "succeeded");
        Object odd =
                db.query("select id from sweep.task where dedup_key = 'odd-1'").get(0);
        db.execute("delete from sweep.task where dedup_key = 'odd-1'");
        ChoreResult result = db.run(PURGER);
        assertThat(result.rows()).isEqualTo(1);
        assertThat(result.note())
                .contains("1 outcomes have no task and were left; look at " + odd + " in task_outcome");
        assertThat(db.query("select id from sweep.task_outcome")).containsExactly(odd);
    }

    @Test
    void aRunThatIsCutOffHasKeptWhatItDidAndTheNextGoesOnThere() {
        db.ended("k-", 12_000, "30 days", "20 days", "succeeded");
        ChoreResult first = db.run(PURGER, Optional.empty(), () -> true);
        assertThat(first.rows()).isEqualTo(5_000);
        assertThat(first.hasMore()).isTrue();
        assertThat(first.note()).contains("7000 outcomes are left to look at");
        assertThat(db.count("sweep.task")).isEqualTo(7_000);

        // The next dies in its second transaction, like a process that is killed: its first one stays.
        AtomicInteger looks = new AtomicInteger();
        db.execute("""
                create function sweep.refuse() returns trigger language plpgsql as $$
                begin
                    if (select count(*) from sweep.task) <= 2000 then raise exception 'killed'; end if;
                    return null;
                end $$
                """);
        db.execute("create trigger refuse before delete on sweep.task for each statement execute function"
                + " sweep.refuse()");
        try {
            assertThat(catchThrowable(() -> db.run(PURGER, first.position(), () -> looks.incrementAndGet() < 0)))
                    .hasMessageContaining("killed");
        } finally {
            db.execute("drop function sweep.refuse() cascade");
        }
        assertThat(db.count("sweep.task")).isEqualTo(2_000);

        ChoreResult last = db.run(PURGER, first.position());
        assertThat(last).isEqualTo(ChoreResult.done(2_000));
        assertThat(db.count("sweep.task_key")).isZero();
    }

    @Test
    void theWalkStartsOverAtItsEnd() {
        db.ended("k-", 10, "30 days", "5 days", "succeeded");
        assertThat(db.run(PURGER)).isEqualTo(ChoreResult.done(0));
        db.execute("update sweep.task_outcome set finished_at = finished_at - interval '3 days'");
        assertThat(db.run(PURGER)).isEqualTo(ChoreResult.done(10));
    }

    @Test
    void partitionsThatGoAsAWholeAreNotWalked() {
        db.cutAt(daysAgo(15), daysAgo(-1));
        try {
            db.ended("walked-", 3, "30 days", "20 days", "succeeded");
            db.ended("later-", 3, "8 days", "8 days", "succeeded");
            assertThat(db.run(PURGER).rows()).isEqualTo(3);
            assertThat(groups()).containsExactly("later");
        } finally {
            db.uncut(2);
        }
    }

    @Test
    void aPartitionThatIsToBeDroppedAndStaysForADayIsWalked() {
        db.cutAt(daysAgo(25), daysAgo(15), "maxvalue");
        try {
            endedInThree();
            assertThat(db.run(PURGER).rows()).isEqualTo(3);
        } finally {
            db.uncut(3);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"KEEP", "EXPORT"})
    void ofPartitionsThatAreToBeKeptOrExportedNoRowGoesAlone(Retention.Fate fate) {
        Duration week = Duration.ofDays(7);
        db.cutAt(daysAgo(25), daysAgo(15), "maxvalue");
        try {
            endedInThree();
            assertThat(db.run(new FinishedPurger(database -> new Retention(week, week, week, fate)))
                            .rows())
                    .isEqualTo(1);
            assertThat(groups()).containsExactly("first", "second");
        } finally {
            db.uncut(3);
        }
    }

    private static void endedInThree() {
        db.ended("first-", 1, "30 days", "29 days", "succeeded");
        db.ended("second-", 1, "20 days", "19 days", "cancelled");
        db.ended("open-", 1, "10 days", "9 days", "succeeded");
    }

    /** What comes before the dash in the keys of the tasks that are there. */
    private static List<Object> groups() {
        return db.query("select distinct split_part(dedup_key, '-', 1) as name from sweep.task order by name");
    }
}
