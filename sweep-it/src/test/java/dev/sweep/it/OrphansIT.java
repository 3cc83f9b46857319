package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.Sweep;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.testing.PostgresServer;
import dev.sweep.worker.Worker;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Entries whose task is gone stop nothing, and hide nothing. */
class OrphansIT {

    private static final TaskType<Json> TYPE = TaskType.json("t");

    @Test
    void aClaimThatBroughtOnlyOrphansIsNoSignOfIdleness() throws Exception {
        try (ScratchDatabase database = ScratchDatabase.create(PostgresServer.shared(), "orphans");
                Sweep sweep = Sweep.create(
                        JooqTaskStore.builder(database.dataSource()).build())) {
            sweep.migrate();
            try (Connection connection = database.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("insert into sweep.task_ready (queue, rank, due_at, id, type)"
                        + " select 'default', 0, now(), n, 't' from generate_series(1, 20) n");
            }
            TaskId behind = sweep.enqueue(TYPE.with(Json.of("{}"))).id();
            try (Worker worker = Worker.builder(sweep)
                    .queue("default", 1)
                    .pollInterval(Duration.ofMillis(200), Duration.ofMillis(200))
                    .logging(event -> {})
                    .handle(TYPE, (payload, context) -> {})
                    .build()) {
                worker.start();
                assertThat(worker.awaitIdle(Duration.ofSeconds(20))).isTrue();
                assertThat(sweep.find(behind).orElseThrow().status()).isEqualTo(TaskStatus.SUCCEEDED);
            }
        }
    }
}
