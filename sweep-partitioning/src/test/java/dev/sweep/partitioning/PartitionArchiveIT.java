package dev.sweep.partitioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is exported comes back as it was, or not at all. */
class PartitionArchiveIT {

    private static final Instant SYLVESTER = Instant.parse("2020-12-31T12:00:00Z");
    private static final String EVERYTHING = "select r::text from (select 1, t.*::text as r from sweep.task_2020w53 t"
            + " union all select 2, f.*::text from sweep.task_failure_2020w53 f"
            + " union all select 3, o.*::text from sweep.task_outcome_2020w53 o order by 1, 2) x";

    @TempDir
    private Path folder;

    private final Installation database = Installation.fresh();
    private final OldWeeks weeks = new OldWeeks(database, SYLVESTER);

    @BeforeEach
    void fill() {
        for (int i = 0; i < 20; i++) {
            weeks.failure(weeks.succeeded(SYLVESTER.plusSeconds(i), i % 2 == 0 ? "key \"" + i : null), SYLVESTER);
        }
        weeks.run("update sweep.task_outcome set error = '', worker = null, result = '{\"a\": [1, \"\\\\\\\\N\"]}'");
    }

    @AfterEach
    void close() {
        weeks.close();
    }

    @Test
    void anExportedRangeComesBackAsTablesOfItsOwn() throws IOException {
        List<Object> before = database.query(EVERYTHING);
        Path target = folder.resolve("made").resolve("here");

        RetentionReport report = weeks.retention().thenExport(target).build().run();

        assertThat(report.retired()).contains(new RetiredRange("2020w53", RetiredRange.Fate.EXPORTED, 20));
        assertThat(weeks.tablesOf("2020w53")).isZero();
        assertThat(filesIn(target))
                .contains(
                        database.schema + "-2020w53.properties",
                        database.schema + "-task_2020w53.csv.gz",
                        database.schema + "-task_failure_2020w53.csv.gz",
                        database.schema + "-task_outcome_2020w53.csv.gz")
                .noneMatch(name -> name.endsWith(".tmp"));

        assertThat(PartitionArchive.of(database.store).restore(target, "2020w53"))
                .isEqualTo(60);

        assertThat(database.query(EVERYTHING)).isEqualTo(before).hasSize(60);
        assertThat(database.leaves("task")).doesNotContain("task_2020w53");
        assertThat(weeks.counted("succeeded")).isZero();
        assertThatThrownBy(() -> PartitionArchive.of(database.store).restore(target, "2020w53"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("_2020w53 exists; rename or drop it");
        weeks.retention().thenDrop().build().run();
        assertThat(weeks.tablesOf("2020w53")).isEqualTo(3);
    }

    @Test
    void aRestoredRangeMayBeAttachedAndRetiredOnceMoreWithoutCountingTwice() {
        weeks.retention().thenExport(folder).build().run();
        PartitionArchive.of(database.store).restore(folder, "2020w53");
        for (PartitionTable table : PartitionTable.ALL) {
            database.execute("alter table sweep." + table.parent() + " attach partition sweep." + table.leaf("2020w53")
                    + " for values from ('2020-12-28T00:00:00Z') to ('2021-01-04T00:00:00Z')");
        }

        assertThat(weeks.retention().thenExport(folder).build().run().retired())
                .containsExactly(new RetiredRange("2020w53", RetiredRange.Fate.EXPORTED, 20));

        assertThat(database.query("select coalesce(sum(tasks), 0)::bigint from sweep.stat_delta"))
                .containsExactly(0L);
    }

    @Test
    void aChangedFileIsRefusedAndNothingIsMade() throws IOException {
        weeks.retention().thenExport(folder).build().run();
        Path outcomes = folder.resolve(database.schema + "-task_outcome_2020w53.csv.gz");
        byte[] whole = Files.readAllBytes(outcomes);
        PartitionArchive archive = PartitionArchive.of(database.store);

        Files.write(outcomes, Arrays.copyOf(whole, whole.length / 2));
        assertThatThrownBy(() -> archive.restore(folder, "2020w53")).isInstanceOf(StoreException.class);
        Files.copy(
                folder.resolve(database.schema + "-task_outcome_2021w01.csv.gz"),
                outcomes,
                StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(() -> archive.restore(folder, "2020w53"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("has 0 rows")
                .hasMessageContaining("its manifest says 20");

        assertThat(weeks.tablesOf("2020w53")).isZero();
        assertThatThrownBy(() -> archive.restore(folder, "2019w01"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("2019w01.properties; name the folder and the range");
    }

    @Test
    void aManifestThatNamesOtherColumnsIsRefused() throws IOException {
        weeks.retention().thenExport(folder).build().run();
        Path place = folder.resolve(database.schema + "-2020w53.properties");
        String manifest = Files.readString(place, StandardCharsets.UTF_8);
        Files.writeString(
                place,
                manifest.replace("task_failure.columns=id,", "task_failure.columns=id) from program 'true' --,"),
                StandardCharsets.UTF_8);

        assertThatThrownBy(() -> PartitionArchive.of(database.store).restore(folder, "2020w53"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("names the columns 'id) from program 'true' --,")
                .hasMessageContaining("take the manifest that the export wrote");

        assertThat(weeks.tablesOf("2020w53")).isZero();
    }

    @Test
    void anotherExportOfTheSameNameIsNeverReplaced() throws IOException {
        Path place = folder.resolve(database.schema + "-2020w53.properties");
        weeks.retention().thenExport(folder).build().run();
        String manifest = Files.readString(place, StandardCharsets.UTF_8);
        weeks.run("update sweep.partition_retired set stage = 'released' where name = '2020w53'");
        PartitionArchive.of(database.store).restore(folder, "2020w53");
        Files.writeString(place, manifest.replace("rows=20", "rows=21"), StandardCharsets.UTF_8);

        RetentionReport report = weeks.retention().thenExport(folder).build().run();

        assertThat(report.failed()).extracting(StayingRange::name).containsExactly("2020w53");
        assertThat(report.failed().get(0).why()).contains("tells of another export of that name");

        assertThat(weeks.tablesOf("2020w53")).isEqualTo(3);
    }

    private static List<String> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
