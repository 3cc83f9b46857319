package dev.sweep.jooq;

import dev.sweep.TaskId;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import java.sql.Connection;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes due tasks for one worker, one claim at a time, each rank searched from its floor. */
final class Claims {

    private static final Logger LOG = LoggerFactory.getLogger(Claims.class);

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
        Answer answer = session.run(connection -> take(connection, request));
        return answer.toClaim(answer.unseen.isEmpty() ? List.of() : setAside(answer));
    }

    private Answer take(Connection connection, ClaimRequest request) throws SQLException {
        List<String> queues = request.room().keySet().stream().sorted().toList();
        ClaimFloors.Look look = floors.look(request, queues);
        try (PreparedStatement statement = connection.prepareStatement(statements.claim())) {
            bind(SqlArrays.into(statement), request, queues, look);
            Answer answer = answerOf(statement);
            if (!answer.unseen.isEmpty()) {
                // They took room, so who knows what the claim did not reach.
                floors.forget();
            } else if (!request.evenly()) {
                // One that did not look at the ranks in their order knows nothing of where they begin.
                floors.learn(look, request, answer.tasks, answer.askedAt, answer.lookTook);
            }
            return answer;
        }
    }

    /**
     * Of entries whose task was not seen. Answers those that were removed since they have none. The claim is made, whatever
     * comes of this: what could not be set aside lapses with its lease.
     */
    private List<TaskId> setAside(Answer answer) {
        try {
            return session.run(connection -> setAside(connection, answer));
        } catch (RuntimeException notNow) {
            LOG.warn(
                    "{} queue entries whose task is not seen could not be set aside: {}", answer.unseen.size(), notNow);
            return List.of();
        }
    }

    private List<TaskId> setAside(Connection connection, Answer answer) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.setAside())) {
            SqlArrays.into(statement).scalar(answer.lease).longs(answer.unseen);
            List<TaskId> orphans = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    orphans.add(TaskId.of(rows.getLong(1)));
                }
            }
            return orphans;
        }
    }

    private static void bind(SqlArrays arrays, ClaimRequest request, List<String> queues, ClaimFloors.Look look)
            throws SQLException {
        arrays.texts(queues)
                .ints(queues, queue -> request.room().get(queue))
                .ints(queues, request::roomPerPriority)
                .scalar(request.evenly() ? ThreadLocalRandom.current().nextInt(MAX_PRIORITY) : 0)
                .instants(look.floors(), Function.identity())
                .texts(request.types())
                .texts(queues)
                .texts(request.types())
                .scalar(request.lostRoom())
                .scalar(request.worker())
                .scalar(SqlArrays.micros(request.leaseDuration()))
                .texts(queues);
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
        private final List<Long> unseen = new ArrayList<>();

        private void add(ResultSet row) throws SQLException {
            long id = row.getLong("id");
            if (row.wasNull()) {
                askedAt = instant(row, "asked_at");
                lookTook = Duration.of(row.getLong("look_micros"), ChronoUnit.MICROS);
                long micros = row.getLong("next_due_micros");
                nextDueIn = row.wasNull() ? Optional.empty() : Optional.of(Duration.of(micros, ChronoUnit.MICROS));
                return;
            }
            lease = row.getLong("lease");
            int maxRetries = row.getInt("max_retries");
            if (row.wasNull()) {
                unseen.add(id);
            } else {
                tasks.add(taskOf(row, new Attempt(lease, TaskId.of(id)), maxRetries));
            }
        }

        private Claim toClaim(List<TaskId> orphans) {
            tasks.sort(CLAIM_ORDER);
            // What was not seen took the room of others, which are due as well, for all we know.
            Optional<Duration> next = unseen.isEmpty() || !tasks.isEmpty() ? nextDueIn : Optional.of(Duration.ZERO);
            return new Claim(tasks.isEmpty() ? 0 : lease, tasks, orphans, next);
        }
    }

    private static ClaimedTask taskOf(ResultSet row, Attempt attempt, int maxRetries) throws SQLException {
        return new ClaimedTask(
                attempt,
                row.getString("type"),
                row.getString("queue"),
                MAX_PRIORITY - row.getInt("rank"),
                instant(row, "due_at"),
                row.getInt("retries"),
                row.getInt("losses"),
                maxRetries,
                row.getString("payload"),
                HeadersJson.read(row.getString("headers")));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
