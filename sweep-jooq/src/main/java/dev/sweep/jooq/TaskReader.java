package dev.sweep.jooq;

import static dev.sweep.jooq.schema.Tables.QUEUE;
import static dev.sweep.jooq.schema.Tables.TASKS;
import static dev.sweep.jooq.schema.Tables.TASK_FAILURE;
import static dev.sweep.jooq.schema.Tables.TASK_OUTCOME;
import static dev.sweep.jooq.schema.Tables.TASK_READY;
import static dev.sweep.jooq.schema.Tables.TASK_RUNNING;
import static dev.sweep.jooq.schema.Tables.TASK_STATS;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;

import dev.sweep.StatusCount;
import dev.sweep.Task;
import dev.sweep.TaskFailure;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.types.YearToSecond;
import org.jspecify.annotations.Nullable;

/** Reads tasks and counts through the public views. */
final class TaskReader {

    /** The second that an id embeds: 22 bits of sequence below the seconds since 2020. */
    private static final int SEQUENCE_BITS = 22;

    private static final Instant FIRST_SECOND = Instant.parse("2020-01-01T00:00:00Z");

    private final DSLContext sql;

    TaskReader(DSLContext sql) {
        this.sql = sql;
    }

    Optional<Task> find(TaskId id) {
        OffsetDateTime second = createdSecond(id);
        return sql.selectFrom(TASKS)
                .where(TASKS.ID.eq(id.value()))
                .and(TASKS.CREATED_AT.ge(second))
                .and(TASKS.CREATED_AT.lt(second.plusSeconds(1)))
                .fetchOptional(TaskReader::taskOf);
    }

    List<Task> list(TaskQuery query) {
        Condition matches = query.status().map(TaskReader::hasStatus).orElse(trueCondition());
        matches = matches.and(query.type().map(TASKS.TYPE::eq).orElse(trueCondition()));
        matches = matches.and(query.queue().map(TASKS.QUEUE::eq).orElse(trueCondition()));
        matches = matches.and(query.before().map(id -> TASKS.ID.lt(id.value())).orElse(trueCondition()));
        return sql.selectFrom(TASKS)
                .where(matches)
                .orderBy(TASKS.ID.desc())
                .limit(query.limit())
                .fetch(TaskReader::taskOf);
    }

    /** Beside the status itself, the narrow place where such tasks are, so that few of them are found among many. */
    private static Condition hasStatus(TaskStatus status) {
        Condition stated = TASKS.STATUS.eq(inline(status.word()));
        return switch (status) {
            case PENDING -> stated.and(TASKS.ID.in(select(TASK_READY.ID).from(TASK_READY)));
            case PROCESSING -> stated.and(TASKS.ID.in(select(TASK_RUNNING.ID).from(TASK_RUNNING)));
            case FAILED, CANCELLED ->
                stated.and(TASKS.ID.in(select(TASK_OUTCOME.ID)
                        .from(TASK_OUTCOME)
                        .where(TASK_OUTCOME.STATUS.eq(inline(status.word())))));
            case SUCCEEDED -> stated;
        };
    }

    List<StatusCount> counts() {
        return sql.selectFrom(TASK_STATS)
                .fetch(row -> new StatusCount(
                        TaskStatus.ofWord(row.get(TASK_STATS.STATUS)),
                        row.get(TASK_STATS.COUNT),
                        row.get(TASK_STATS.EXACT),
                        Optional.ofNullable(row.get(TASK_STATS.AVERAGE_DURATION))
                                .map(YearToSecond::toDuration)));
    }

    /** Oldest first; a lease names one claim, and its number grows. */
    List<TaskFailure> failures(TaskId id) {
        return sql.selectFrom(TASK_FAILURE)
                .where(TASK_FAILURE.ID.eq(id.value()))
                .and(TASK_FAILURE.CREATED_AT.eq(createdSecond(id)))
                .orderBy(TASK_FAILURE.LEASE)
                .fetch(row -> new TaskFailure(
                        Optional.ofNullable(row.get(TASK_FAILURE.RAN_AS))
                                .map(TaskId::of)
                                .orElse(id),
                        row.get(TASK_FAILURE.ATTEMPT),
                        row.get(TASK_FAILURE.FAILED_AT).toInstant(),
                        Optional.ofNullable(row.get(TASK_FAILURE.WORKER)),
                        row.get(TASK_FAILURE.ERROR_CLASS),
                        row.get(TASK_FAILURE.MESSAGE)));
    }

    Set<String> pausedQueues() {
        return sql.select(QUEUE.NAME).from(QUEUE).fetchSet(QUEUE.NAME);
    }

    private static Task taskOf(Record row) {
        return new Task(
                TaskId.of(row.get(TASKS.ID)),
                row.get(TASKS.TYPE),
                row.get(TASKS.QUEUE),
                row.get(TASKS.PRIORITY),
                TaskStatus.ofWord(row.get(TASKS.STATUS)),
                row.get(TASKS.PAYLOAD).data(),
                HeadersJson.read(text(row.get(TASKS.HEADERS))),
                Optional.ofNullable(row.get(TASKS.DEDUP_KEY)),
                row.get(TASKS.RETRY_COUNT),
                row.get(TASKS.MAX_RETRIES),
                row.get(TASKS.LOSSES),
                Optional.ofNullable(row.get(TASKS.ERROR_MSG)),
                row.get(TASKS.CREATED_AT).toInstant(),
                row.get(TASKS.DUE_AT).toInstant(),
                Optional.ofNullable(row.get(TASKS.STARTED_AT)).map(OffsetDateTime::toInstant),
                Optional.ofNullable(row.get(TASKS.FINISHED_AT)).map(OffsetDateTime::toInstant),
                Optional.ofNullable(text(row.get(TASKS.RESULT))),
                Optional.ofNullable(row.get(TASKS.REQUEUED_FROM)).map(TaskId::of));
    }

    private static @Nullable String text(@Nullable JSONB json) {
        return json == null ? null : json.data();
    }

    private static OffsetDateTime createdSecond(TaskId id) {
        return FIRST_SECOND
                .plus(Duration.ofSeconds(id.value() >> SEQUENCE_BITS))
                .atOffset(ZoneOffset.UTC);
    }
}
