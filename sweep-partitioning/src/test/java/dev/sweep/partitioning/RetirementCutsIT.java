package dev.sweep.partitioning;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.jooq.JooqTaskStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process dies after any one of its changes, and the next run comes to the same end. */
class RetirementCutsIT {

    private static final Instant SYLVESTER = Instant.parse("2020-12-31T12:00:00Z");

    @TempDir
    private Path folder;

    @Test
    void aRunThatDiesAfterAnyChangeIsSetRightByTheNextOne() {
        int cut = 1;
        try (OldWeeks weeks = new OldWeeks(Installation.fresh(), SYLVESTER)) {
            weeks.retention().build().run();
            while (dies(weeks, cut)) {
                cut++;
            }
        }
        assertThat(cut).isGreaterThan(20);
    }

    /** Whether the run was cut; all ranges of the past are retired afterwards, each once. */
    private boolean dies(OldWeeks weeks, int cut) {
        weeks.attachAnew("2020w53", "2020-12-28T00:00:00Z", "2021-01-04T00:00:00Z");
        weeks.database.execute("delete from sweep.partition_retired where name = '2020w53'");
        weeks.database.execute("delete from sweep.stat_delta");
        weeks.database.execute("delete from sweep.task_key");
        for (int i = 0; i < 3; i++) {
            weeks.succeeded(SYLVESTER.plusSeconds(i), "key " + i);
        }
        Path target = folder.resolve("cut " + cut);
        boolean died = isCut(weeks, cut, target);

        weeks.retention().thenExport(target).build().run();

        assertThat(weeks.database.query(
                        "select stage || ' ' || tasks from sweep.partition_retired where name = '2020w53'"))
                .as("after a cut behind change %s", cut)
                .isEqualTo(List.of("dropped 3"));
        assertThat(weeks.tablesOf("2020w53")).isZero();
        assertThat(weeks.database.count("sweep.task_key")).isZero();
        assertThat(weeks.database.query("select sum(tasks)::bigint from sweep.stat_delta"))
                .containsExactly(0L);
        assertThat(weeks.database.query("select sum(run_micros)::bigint from sweep.stat_delta"))
                .containsExactly(0L);
        assertThat(PartitionArchive.of(weeks.database.store).restore(target, "2020w53"))
                .isEqualTo(6);
        for (PartitionTable table : PartitionTable.ALL) {
            weeks.database.execute("drop table sweep." + table.leaf("2020w53"));
        }
        return died;
    }

    private static boolean isCut(OldWeeks weeks, int cut, Path target) {
        try (HikariDataSource pool = weeks.database.newPool()) {
            CutSource source = new CutSource(pool, cut);
            JooqTaskStore store =
                    JooqTaskStore.builder(source).schema(weeks.database.schema).build();
            try {
                PartitionRetention.builder(store)
                        .finishedFor(Duration.ofDays(7))
                        .thenExport(target)
                        .build()
                        .run();
                return false;
            } catch (CutSource.Died expected) {
                awaitEnd(weeks.database, source);
                return true;
            }
        }
    }

    /** The next run would else meet the guard of this one, and leave the range to it. */
    private static void awaitEnd(Installation database, CutSource source) {
        Instant deadline = Instant.now().plusSeconds(30);
        while (database.count("pg_stat_activity where pid = any(" + source.sessions() + ")") > 0) {
            assertThat(Instant.now())
                    .as("the sessions of the process that died are there")
                    .isBefore(deadline);
            Thread.onSpinWait();
        }
    }
}
