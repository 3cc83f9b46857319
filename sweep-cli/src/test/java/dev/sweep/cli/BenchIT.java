package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sweep.testing.PostgresServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bench as a whole, so small that its numbers say nothing: only whether they are there, and counted right. */
@Timeout(300)
class BenchIT {

    private static final PostgresServer SERVER = PostgresServer.shared();

    @Test
    void allContendersDoTheSameAndAreToldAsRatios() throws IOException, SQLException {
        JsonNode result = bench("--workloads", "enqueue-keys,drain,life,life-wal", "--tasks", "300", "--warm-up", "0");

        assertThat(lines(result))
                .containsExactly(
                        "enqueue-keys sweep",
                        "enqueue-keys classic",
                        "enqueue-keys best-loop",
                        "drain sweep",
                        "drain classic",
                        "drain best-loop",
                        "life sweep",
                        "life classic",
                        "life best-loop");
        for (JsonNode line : result.get("results")) {
            assertThat(line.get("rounds")).hasSize(1).allSatisfy(BenchIT::assertCounted);
            assertThat(line.get("ratios").properties())
                    .extracting(Map.Entry::getKey)
                    .containsExactlyElementsOf(Stream.of("classic", "best-loop")
                            .filter(reference ->
                                    !reference.equals(line.get("contender").asText()))
                            .toList());
            line.get("ratios")
                    .forEach(ratios ->
                            assertThat(ratios.get("tasksPerSecond").asDouble()).isPositive());
        }
        assertThat(result.get("surroundings").get("fsync").asText()).isIn("on", "off");
        assertThat(result.get("leftOut").toString()).contains("life-wal of sweep: changes settings of the server");
        assertThat(schemasOfBenches()).isZero();
    }

    @Test
    void burdensAreThereAndOnlyWhatIsMeasuredIsWorkedOff() throws IOException, SQLException {
        JsonNode result = bench(
                "--workloads=drain",
                "--contenders=sweep",
                "--tasks=300",
                "--warm-up=0",
                "--backlog=2000",
                "--finished=500",
                "--partitions=3",
                "--pin-xmin",
                "--workers=2",
                "--base-workers=1");

        assertThat(lines(result)).containsExactly("drain sweep", "drain sweep/base");
        assertThat(result.get("results")
                        .get(0)
                        .get("ratios")
                        .get("sweep/base")
                        .get("tasksPerSecond")
                        .asDouble())
                .isPositive();
        assertThat(result.get("plan").get("pinned").asBoolean()).isTrue();
        assertThat(schemasOfBenches()).isZero();
    }

    private static JsonNode bench(String... options) throws IOException {
        List<String> words = new ArrayList<>(
                List.of("bench", "--json", "--rounds", "1", "--url", SERVER.jdbcUrl(), "--user", SERVER.user()));
        words.addAll(List.of(options));
        if (!SERVER.password().isEmpty()) {
            words.addAll(List.of("--password", SERVER.password()));
        }
        CapturedCommand ended = CapturedCommand.run(words.toArray(String[]::new));
        assertThat(ended.exitCode()).as(ended.err()).isZero();
        JsonNode result = new ObjectMapper().readTree(ended.lastLine());
        boolean isDurable = result.get("surroundings").get("durable").asBoolean();
        assertThat(ended.err().contains("WARNING: fsync or synchronous_commit is off"))
                .isNotEqualTo(isDurable);
        return result;
    }

    private static void assertCounted(JsonNode round) {
        assertThat(round.get("tasks").asInt()).isEqualTo(300);
        assertThat(round.get("walBytesPerTask").asDouble()).isPositive();
        assertThat(round.get("commitsPer100Tasks").asDouble()).isPositive();
        round.properties()
                .forEach(figure -> assertThat(figure.getValue().asDouble())
                        .as(figure.getKey())
                        .isNotNegative());
    }

    private static List<String> lines(JsonNode result) {
        List<String> lines = new ArrayList<>();
        result.get("results")
                .forEach(line -> lines.add(line.get("workload").asText() + " "
                        + line.get("contender").asText()));
        return lines;
    }

    private static int schemasOfBenches() throws SQLException {
        try (Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery(
                        "select count(*) from pg_namespace where nspname like 'sweep\\_bench\\_%'")) {
            count.next();
            return count.getInt(1);
        }
    }
}
