package dev.sweep.jooq;

import static dev.sweep.jooq.schema.Tables.QUEUE;
import static dev.sweep.jooq.schema.Tables.TASKS;
import static dev.sweep.jooq.schema.Tables.TASK_FAILURE;
import static dev.sweep.jooq.schema.Tables.TASK_STATS;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;

import dev.sweep.StatusCount;
import dev.sweep.Task;
import dev.sweep.TaskFailure;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.JSONB;
import org.jooq.Record;
import org.jooq.Record1;
import org.jooq.Select;
import org.jooq.types.YearToSecond;
import org.jspecify.annotations.Nullable;

/** Reads tasks and counts through the public views. */
final class TaskReader {

    private static final Field<Long> ID = field(name("id"), Long.class);

    private final DSLContext sql;
    private final TaskStatements statements;

    TaskReader(DSLContext sql, TaskStatements statements) {
        this.sql = sql;
        this.statements = statements;
    }

    Optional<Task> find(TaskId id) {
        return sql.resultQuery(statements.find(), id.value())
                .coerce(TASKS.fields())
                .fetchOptional(TaskReader::taskOf);
    }

    /** The ids first, from the narrow places where tasks of a status are, so that a page of few is found fast among many. */
    List<Task> list(TaskQuery query) {
        List<TaskPlace> places = query.status().map(TaskPlace::of).orElseGet(TaskPlace::ofAll);
        Select<Record1<Long>> newest = places.stream()
                .map(place -> page(query, place))
                .reduce(Select::unionAll)
                .orElseThrow();
        Select<Record1<Long>> page =
                select(ID).from(newest.asTable("newest")).orderBy(ID.desc()).limit(query.limit());
        // A task that moves meanwhile is seen at one place only: all of it is one statement.
        return sql.selectFrom(TASKS)
                .where(TASKS.ID.eq(any(array(page))))
                .orderBy(TASKS.ID.desc())
                .fetch(TaskReader::taskOf);
    }

    private static Select<Record1<Long>> page(TaskQuery query, TaskPlace place) {
        return place.ids(query.type(), query.queue())
                .and(query.before().map(id -> place.id().lt(id.value())).orElse(trueCondition()))
                .orderBy(place.id().desc())
                .limit(query.limit());
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

    /** Oldest first. */
    List<TaskFailure> failures(TaskId id) {
        return sql.fetch(statements.failures(), id.value(), id.value(), id.value())
                .map(row -> failureOf(id, row));
    }

    private static TaskFailure failureOf(TaskId id, Record row) {
        return new TaskFailure(
                Optional.ofNullable(row.get(TASK_FAILURE.RAN_AS))
                        .map(TaskId::of)
                        .orElse(id),
                row.get(TASK_FAILURE.ATTEMPT),
                row.get(TASK_FAILURE.FAILED_AT).toInstant(),
                Optional.ofNullable(row.get(TASK_FAILURE.WORKER)),
                row.get(TASK_FAILURE.ERROR_CLASS),
                row.get(TASK_FAILURE.MESSAGE));
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
}
