package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sweep.testing.PostgresServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands about partitions, on a real PostgreSQL. */
@Timeout(120)
class PartitionsIT {

    private static final PostgresServer SERVER = PostgresServer.shared();

    private final String schema = SERVER.newSchemaName("partitions");

    @AfterEach
    void dropSchema() {
        SERVER.dropSchema(schema);
    }

    @Test
    void aFirstMigrationMayBringPartitions() throws IOException {
        assertThat(sweep("migrate", "--partitions", "week").exitCode()).isZero();

        JsonNode state = json(sweep("partitions", "list", "--json"));
        assertThat(state.get("period").asText()).isEqualTo("week");
        assertThat(state.get("runway").asInt()).isEqualTo(4);
        CapturedCommand listed = sweep("partitions", "list");
        assertThat(listed.out()).contains("PARTITION", "T00:00:00Z  now");
        assertThat(listed.err()).contains("by week; 4 of them ahead of the present one");
    }

    @Test
    void theyAreSwitchedOnAheadAndOffLater() throws IOException {
        sweep("migrate");
        assertThat(sweep("enqueue", "--type", "t", "--payload", "{}").exitCode())
                .isZero();
        assertThat(sweep("partitions", "list").err()).contains("partitions are off");

        CapturedCommand dry = sweep("partitions", "on", "--period", "day", "--dry-run");
        assertThat(dry.out())
                .contains(
                        "begin;",
                        "pg_advisory_xact_lock",
                        "set local lock_timeout",
                        "validate constraint",
                        "reads the whole table",
                        "commit;");
        assertThat(json(sweep("partitions", "on", "--dry-run", "--json")).get("planned"))
                .isNotEmpty()
                .filteredOn(step -> !step.get("scan").asBoolean())
                .allSatisfy(step -> assertThat(step.get("sql").toString())
                        .contains("pg_advisory_xact_lock", "set local lock_timeout"));
        assertThat(json(sweep("partitions", "list", "--json")).get("period").isNull())
                .isTrue();

        CapturedCommand on = sweep("partitions", "on", "--period", "day", "--ahead", "7");
        assertThat(on.exitCode()).isZero();
        assertThat(on.out().lines()).hasSizeGreaterThan(2).noneMatch(line -> line.contains("\\n"));
        assertThat(sweep("partitions", "on", "--period", "day", "--ahead", "7").out())
                .contains("nothing to do");
        assertThat(json(sweep("partitions", "list", "--json")).get("runway").asInt())
                .isEqualTo(7);
        assertThat(json(sweep("partitions", "ahead", "--ahead", "9", "--json")).get("done"))
                .hasSize(2);

        assertThat(sweep("partitions", "off", "--dry-run").out()).contains("maxvalue");
        assertThat(sweep("partitions", "off").exitCode()).isZero();
        assertThat(json(sweep("partitions", "list", "--json")).get("period").isNull())
                .isTrue();
        assertThat(sweep("enqueue", "--type", "t", "--payload", "{}").exitCode())
                .isZero();
    }

    @Test
    void anotherPeriodThanTheOneThatIsOnIsBadInput() {
        sweep("migrate", "--partitions", "month");

        CapturedCommand refused = sweep("partitions", "on", "--period", "day");

        assertThat(refused.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
        assertThat(refused.err()).contains("by month already, not by day");
    }

    private static JsonNode json(CapturedCommand ended) throws IOException {
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        return new ObjectMapper().readTree(ended.out());
    }

    private CapturedCommand sweep(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", SERVER.jdbcUrl(), "--user", SERVER.user(), "--schema", schema));
        if (!SERVER.password().isEmpty()) {
            all.addAll(List.of("--password", SERVER.password()));
        }
        return CapturedCommand.run(all.toArray(String[]::new));
    }
}
