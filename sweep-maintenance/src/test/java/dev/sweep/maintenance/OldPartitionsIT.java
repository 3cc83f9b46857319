package dev.sweep.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.TaskStatus;
import dev.sweep.partitioning.PartitionManager;
import dev.sweep.partitioning.PartitionPeriod;
import dev.sweep.partitioning.PartitionRange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OldPartitionsIT {

    /** Cut at instants that are neither near nor ever reached. */
    private static final PartitionPeriod ERA = new PartitionPeriod() {
        @Override
        public String word() {
            return "era";
        }

        @Override
        public PartitionRange rangeOf(Instant instant) {
            int first = instant.isBefore(Instant.parse("2126-01-01T00:00:00Z")) ? 2026 : 2126;
            int era = instant.isBefore(Instant.parse("2226-01-01T00:00:00Z")) ? first : 2226;
            return new PartitionRange("era" + era, begin(era), begin(era + 100));
        }

        private Instant begin(int year) {
            return Instant.parse(year + "-01-01T00:00:00Z");
        }
    };

    private final Installation db = Installation.named("old_partitions");
    private final OldPartitions chore = new OldPartitions(db -> Retention.DEFAULT, null);

    @BeforeEach
    void cut() {
        PartitionManager.builder(db.store).period(ERA).ahead(1).build().enable(ERA);
    }

    @AfterEach
    void close() {
        db.close();
    }

    @Test
    void aPartitionOfThePastGoesWithItsTasksAndTheirKeys() {
        old("2025-03-01T12:00:00Z", "succeeded");

        assertThat(db.run(chore)).isEqualTo(ChoreResult.done(1));

        assertThat(leaves()).containsExactly("task_era2026", "task_era2126");
        assertThat(db.count("sweep.task")).isZero();
        assertThat(db.count("sweep.task_key")).isZero();
        assertThat(db.sweep.counts())
                .allSatisfy(count -> assertThat(count.count()).isZero());
        assertThat(db.run(chore)).isEqualTo(ChoreResult.done(0));
    }

    @Test
    void failedTasksOfItStayAsDeadLetters() {
        old("2025-03-01T12:00:00Z", "failed");

        assertThat(db.run(chore).rows()).isEqualTo(1);

        assertThat(leaves()).containsExactly("task_era2026", "task_era2126");
        assertThat(db.query("select status from sweep.tasks")).containsExactly("failed");
        assertThat(db.sweep.counts().stream()
                        .filter(count -> count.status() == TaskStatus.FAILED)
                        .findFirst()
                        .orElseThrow()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void whatStillWaitsKeepsItsPartitionAndIsTold() {
        db.execute("""
                with made as (select sweep.id_at('2025-03-01T12:00:00Z', 7) as id), task as (
                    insert into sweep.task (id, created_at, due_at, type, payload)
                    select id, '2025-03-01T12:00:00Z', '2099-01-01T00:00:00Z', 'some.type', '{}' from made)
                insert into sweep.task_ready (queue, rank, due_at, id, type)
                select 'default', 9, '2099-01-01T00:00:00Z', id, 'some.type' from made
                """);

        ChoreResult result = db.run(chore);

        assertThat(result.rows()).isZero();
        assertThat(result.note().orElseThrow()).startsWith("all stays: ");
        assertThat(leaves()).contains("task_all");
    }

    /** It can export nothing, but what is half done may hide live tasks: with a row of its own or without. */
    @ParameterizedTest
    @ValueSource(strings = {"returning", "chosen", ""})
    void withoutAFolderToExportToWhatIsLiveIsGivenBackAllTheSame(String stage) {
        old("2025-03-01T12:00:00Z", "succeeded");
        db.execute("select sweep.enqueue_task('some.type', '{}')");
        db.execute("alter table sweep.task detach partition sweep.task_era2026");
        if (!stage.isEmpty()) {
            db.execute("insert into sweep.partition_retired (name, lower_at, upper_at, stage)"
                    + " values ('era2026', '2026-01-01T00:00:00Z', '2126-01-01T00:00:00Z', '" + stage + "')");
        }

        ChoreResult result = db.run(new OldPartitions(db -> exporting(), null));

        assertThat(result.note().orElseThrow()).contains("no folder");
        assertThat(leaves()).containsExactly("task_all", "task_era2026", "task_era2126");
        assertThat(db.count("sweep.tasks where status = 'pending'")).isEqualTo(1);
        assertThat(db.count("sweep.partition_retired")).isZero();
    }

    private static Retention exporting() {
        return new Retention(Duration.ofDays(7), Duration.ofDays(7), Duration.ofDays(90), Retention.Fate.EXPORT);
    }

    private void old(String created, String status) {
        db.execute("""
                with made as (select sweep.id_at('%1$s', 7) as id), task as (
                    insert into sweep.task (id, created_at, due_at, type, dedup_key, payload)
                    select id, '%1$s', '%1$s', 'some.type', 'k', '{}' from made
                ), key as (
                    insert into sweep.task_key (key, id) select 'k', id from made
                ), total as (
                    insert into sweep.stat_delta (status, tasks, run_micros) values ('%2$s', 1, 1000000))
                insert into sweep.task_outcome (id, created_at, started_at, finished_at, retries, losses, status)
                select id, sweep.id_time(id), '%1$s', timestamptz '%1$s' + interval '1 second', 0, 0, '%2$s' from made
                """.formatted(created, status));
    }

    private List<Object> leaves() {
        return db.query("select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid"
                + " where i.inhparent = 'sweep.task'::regclass order by 1");
    }
}
