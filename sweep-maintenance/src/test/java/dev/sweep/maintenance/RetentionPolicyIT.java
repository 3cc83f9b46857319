package dev.sweep.maintenance;

import static dev.sweep.maintenance.Installation.daysAgo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one process was told to keep, no other may delete. */
class RetentionPolicyIT {

    private final Installation db = Installation.named("policy");

    @AfterEach
    void close() {
        db.close();
    }

    @Test
    void whatOneServiceWasToldHoldsForAllOthers() {
        db.ended("k-", 3, "30 days", "20 days", "succeeded");
        try (MaintenanceService told = MaintenanceService.builder(db.store)
                        .succeededFor(Duration.ofDays(365))
                        .keepOldPartitions()
                        .build();
                MaintenanceService untold = MaintenanceService.builder(db.store).build()) {
            told.runOnce();
            untold.runOnce();
        }
        assertThat(db.count("sweep.task")).isEqualTo(3);
        assertThat(RetentionPolicy.STORED.of(db.store.database()))
                .isEqualTo(new Retention(
                        Duration.ofDays(365), Duration.ofDays(7), Duration.ofDays(90), Retention.Fate.KEEP));

        try (MaintenanceService later = MaintenanceService.builder(db.store)
                .succeededFor(Duration.ofDays(10))
                .build()) {
            later.runOnce();
        }
        assertThat(db.count("sweep.task")).isZero();
        assertThat(RetentionPolicy.STORED.of(db.store.database()).oldPartitions())
                .isEqualTo(Retention.Fate.KEEP);
    }

    @Test
    void whoHasNoFolderLeavesWhatIsToBeExported() {
        Retention exporting = new Retention(Duration.ZERO, Duration.ZERO, Duration.ZERO, Retention.Fate.EXPORT);

        ChoreResult result = db.run(new OldPartitions(database -> exporting, null));

        assertThat(result.rows()).isZero();
        assertThat(result.note().orElseThrow()).contains("was given no folder");
    }

    @ParameterizedTest
    @ValueSource(strings = {"succeeded_for", "cancelled_for", "dead_letters_for"})
    void whatIsWrittenByHandIsNeitherNegativeNorBeyondACentury(String column) {
        String insert = "insert into sweep.maintenance_policy as p (" + column
                + ") values ('%1$s') on conflict (only_one)" + " do update set " + column + " = excluded." + column;
        for (String wrong :
                List.of("-1 day", "-1 year 360 days", "-1 microsecond", "36500 days 1 second", "1000 years")) {
            assertThatThrownBy(() -> db.execute(insert.formatted(wrong)))
                    .as(wrong)
                    .hasMessageContaining("maintenance_policy_" + column + "_is_0_to_36500_days");
        }
        for (String right : List.of("0", "1 month", "99 years", "36500 days")) {
            db.execute(insert.formatted(right));
            try (MaintenanceService service =
                    MaintenanceService.builder(db.store).build()) {
                assertThat(service.runOnce()).as(right).noneMatch(ChoreReport::hasFailed);
            }
        }
    }

    @Test
    void whatIsToBeExportedIsThereAfterAllChoresOfOneWithoutAFolder(@TempDir Path folder) {
        db.cutAt(daysAgo(25), daysAgo(15), "maxvalue");
        db.ended("first-", 2, "30 days", "29 days", "succeeded");
        db.ended("second-", 2, "20 days", "19 days", "succeeded");
        try (MaintenanceService told = MaintenanceService.builder(db.store)
                        .exportOldPartitions(folder)
                        .only(List.of("workers"))
                        .build();
                MaintenanceService untold = MaintenanceService.builder(db.store).build()) {
            told.runOnce();
            untold.runOnce();
        }
        assertThat(db.count("sweep.task")).isEqualTo(4);
        assertThat(db.count("sweep.task_outcome")).isEqualTo(4);
        assertThat(db.count("sweep.task_key")).isEqualTo(4);
    }

    @Test
    void whatIsToBeKeptStaysWholeBesideATaskThatWaits() {
        db.cutAt(daysAgo(15), "maxvalue");
        db.ended("k-", 2, "30 days", "29 days", "succeeded");
        db.execute("""
                with made as (select id + 1 as id, created_at from sweep.task order by id desc limit 1), task as (
                    insert into sweep.task (id, created_at, due_at, type, payload)
                    select id, created_at, '2099-01-01T00:00:00Z', 'some.type', '{}' from made)
                insert into sweep.task_ready (queue, rank, due_at, id, type)
                select 'default', 9, '2099-01-01T00:00:00Z', id, 'some.type' from made
                """);
        try (MaintenanceService keeping =
                MaintenanceService.builder(db.store).keepOldPartitions().build()) {
            keeping.runOnce();
        }
        assertThat(db.count("sweep.task")).isEqualTo(3);
    }

    @Test
    void theLeafWithoutEndIsCleanedUpAlsoIfItHasABegin() {
        for (String table : List.of("task", "task_failure", "task_outcome")) {
            db.execute("alter table sweep." + table + " detach partition sweep." + table + "_all");
            db.execute("alter table sweep." + table + " attach partition sweep." + table
                    + "_all for values from ('2021-01-01T00:00:00Z') to (maxvalue)");
        }
        db.ended("gone-", 3, "30 days", "20 days", "succeeded");
        db.ended("kept-", 1, "30 days", "2 days", "succeeded");

        assertThat(db.run(new FinishedPurger(database -> Retention.DEFAULT)).rows())
                .isEqualTo(3);

        assertThat(db.query("select dedup_key from sweep.task")).containsExactly("kept-1");
    }
}
