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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class DemoIT {

    private static final PostgresServer SERVER = PostgresServer.shared();

    @Test
    void everyEffectIsThereExactlyOnceAlthoughAWorkerIsKilled() throws IOException, SQLException {
        List<String> words = new ArrayList<>(
                List.of("demo", "--tasks", "200", "--json", "--url", SERVER.jdbcUrl(), "--user", SERVER.user()));
        if (!SERVER.password().isEmpty()) {
            words.addAll(List.of("--password", SERVER.password()));
        }

        CapturedCommand demo = CapturedCommand.run(words.toArray(String[]::new));

        assertThat(demo.exitCode()).as(demo.err()).isZero();
        JsonNode result = new ObjectMapper().readTree(demo.lastLine());
        assertThat(result.get("exactlyOnce").asBoolean()).isTrue();
        assertThat(result.get("workersKilled").asInt()).isEqualTo(1);
        assertThat(result.get("enqueued").asInt()).isEqualTo(801);
        assertThat(result.get("duplicates").asInt()).isEqualTo(20);
        assertThat(result.get("succeeded").asInt()).isEqualTo(800);
        assertThat(result.get("dead").asInt()).isEqualTo(1);
        assertThat(result.get("effects").asInt()).isEqualTo(200);
        assertThat(result.get("retried").asInt()).isGreaterThanOrEqualTo(2);
        assertThat(demo.err()).contains("with SIGKILL");
        assertThat(schemasOfDemos()).isZero();
    }

    private static int schemasOfDemos() throws SQLException {
        try (Connection connection = SERVER.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery(
                        "select count(*) from pg_namespace where nspname like 'sweep\\_demo\\_%'")) {
            count.next();
            return count.getInt(1);
        }
    }
}
