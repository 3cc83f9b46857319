package dev.sweep.jooq;

import dev.sweep.TaskId;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;

/** Takes due tasks for one worker, one claim at a time, each rank searched from its floor. */
final class Claims {

    /** Rank stands for 10 - priority. */
    static final int MAX_PRIORITY = 10;

    private static final Comparator<ClaimedTask> CLAIM_ORDER = Comparator.comparing(ClaimedTask::priority)
            .reversed()
            .thenComparing(ClaimedTask::dueAt)
            .thenComparing(ClaimedTask::id);

    private final HotSession session;
    private final TaskStatements statements;
    private final ClaimFloors floors = new ClaimFloors(System::nanoTime);

    Claims(HotSession session, TaskStatements statements) {
        this.session = session;
        this.statements = statements;
    }

    Claim claim(ClaimRequest request) {
        return session.run(connection -> {
            List<String> queues = request.room().keySet().stream().sorted().toList();
            ClaimFloors.Look look = floors.look(request, queues);
            try (PreparedStatement statement = connection.prepareStatement(statements.claim())) {
                bind(SqlArrays.into(statement), request, queues, look);
                Answer answer = answerOf(statement);
                if (request.evenly()) {
                    // It did not look at the ranks in their order, so it knows nothing of where they begin.
                    return answer.toClaim();
                }
                if (answer.orphans.isEmpty()) {
                    floors.learn(look, request, answer.tasks, answer.askedAt, answer.lookTook);
                } else {
                    // They took room, so who knows what the claim did not reach.
                    floors.forget();
                }
                return answer.toClaim();
            }
        });
    }

    private static void bind(SqlArrays arrays, ClaimRequest request, List<String> queues, ClaimFloors.Look look)
            throws SQLException {
        arrays.values("text", queues)
                .column("int4", queues, queue -> request.room().get(queue))
                .column("int4", queues, request::roomPerPriority)
                .scalar(request.evenly() ? ThreadLocalRandom.current().nextInt(MAX_PRIORITY) : 0)
                .instants(look.floors(), Function.identity())
                .values("text", request.types())
                .values("text", queues)
                .values("text", request.types())
                .scalar(request.lostRoom())
                .scalar(request.worker())
                .scalar(Enqueuer.micros(request.leaseDuration()))
                .values("text", queues);
    }

    private static Answer answerOf(PreparedStatement statement) throws SQLException {
        Answer answer = new Answer();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                answer.add(rows);
            }
        }
        return answer;
    }

    /** What the rows of one claim add up to. */
    private static final class Answer {
        private Instant askedAt = Instant.EPOCH;
        private Duration lookTook = Duration.ZERO;
        private long lease;
        private Optional<Duration> nextDueIn = Optional.empty();
        private final List<ClaimedTask> tasks = new ArrayList<>();
        private final List<TaskId> orphans = new ArrayList<>();

        private void add(ResultSet row) throws SQLException {
            if (row.isFirst()) {
                askedAt = instant(row, "asked_at");
                lookTook = Duration.of(row.getLong("look_micros"), ChronoUnit.MICROS);
            }
            lease = row.getLong("lease");
            if (row.wasNull()) {
                long micros = row.getLong("next_due_micros");
                nextDueIn = row.wasNull() ? Optional.empty() : Optional.of(Duration.of(micros, ChronoUnit.MICROS));
            } else if (row.getBoolean("has_task")) {
                tasks.add(taskOf(row, lease));
            } else {
                orphans.add(TaskId.of(row.getLong("id")));
            }
        }

        private Claim toClaim() {
            tasks.sort(CLAIM_ORDER);
            return new Claim(lease, tasks, orphans, nextDueIn);
        }
    }

    private static ClaimedTask taskOf(ResultSet row, long lease) throws SQLException {
        return new ClaimedTask(
                new Attempt(lease, TaskId.of(row.getLong("id"))),
                row.getString("type"),
                row.getString("queue"),
                MAX_PRIORITY - row.getInt("rank"),
                instant(row, "due_at"),
                row.getInt("retries"),
                row.getInt("losses"),
                row.getInt("max_retries"),
                row.getString("payload"),
                HeadersJson.read(row.getString("headers")));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
