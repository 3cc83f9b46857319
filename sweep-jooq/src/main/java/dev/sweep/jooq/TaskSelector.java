package dev.sweep.jooq;

import static dev.sweep.jooq.schema.Tables.TASK;
import static dev.sweep.jooq.schema.Tables.TASK_OUTCOME;
import static dev.sweep.jooq.schema.Tables.TASK_READY;
import static dev.sweep.jooq.schema.Tables.TASK_RUNNING;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;

import dev.sweep.TaskFilter;
import dev.sweep.TaskId;
import dev.sweep.TaskSelection;
import dev.sweep.TaskStatus;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Cursor;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.Select;
import org.jooq.TableField;
import org.jooq.types.DayToSecond;

/** Finds the ids of all tasks that match a filter, from the narrow places where tasks of a status are. */
final class TaskSelector {

    private static final Field<Long> ID = field(name("id"), Long.class);
    /** An outcome bears the second of its task's creation. */
    private static final DayToSecond ONE_SECOND = new DayToSecond(0, 0, 0, 1);

    private static final int FETCH_SIZE = 10_000;

    private final DSLContext sql;

    TaskSelector(DSLContext sql) {
        this.sql = sql;
    }

    /** In one statement, so a task that moves meanwhile is not met twice; read in pieces, since there may be a million. */
    TaskSelection selection(TaskFilter filter, int limit) {
        Select<Record1<Long>> all = filter.statuses().stream()
                .map(status -> idsOf(status, filter))
                .reduce(Select::unionAll)
                .orElseThrow();
        return sql.transactionResult(tx -> {
            List<TaskId> ids = new ArrayList<>();
            try (Cursor<Record1<Long>> rows = tx.dsl()
                    .select(ID)
                    .from(all.asTable("matching"))
                    .orderBy(ID)
                    .limit(limit + 1)
                    .fetchSize(FETCH_SIZE)
                    .fetchLazy()) {
                for (Record1<Long> row : rows) {
                    ids.add(TaskId.of(row.value1()));
                }
            }
            boolean isCutOff = ids.size() > limit;
            return new TaskSelection(isCutOff ? ids.subList(0, limit) : ids, isCutOff);
        });
    }

    private static Select<Record1<Long>> idsOf(TaskStatus status, TaskFilter filter) {
        return switch (status) {
            case PENDING ->
                select(TASK_READY.ID)
                        .from(TASK_READY)
                        .where(matches(filter, TASK_READY.ID))
                        .and(is(filter, TASK_READY.TYPE, TASK_READY.QUEUE));
            case PROCESSING ->
                select(TASK_RUNNING.ID)
                        .from(TASK_RUNNING)
                        .where(matches(filter, TASK_RUNNING.ID))
                        .and(is(filter, TASK_RUNNING.TYPE, TASK_RUNNING.QUEUE));
            case SUCCEEDED, FAILED, CANCELLED ->
                select(TASK_OUTCOME.ID)
                        .from(TASK_OUTCOME)
                        .join(TASK)
                        .on(TASK.ID.eq(TASK_OUTCOME.ID))
                        .and(TASK.CREATED_AT.ge(TASK_OUTCOME.CREATED_AT))
                        .and(TASK.CREATED_AT.lt(TASK_OUTCOME.CREATED_AT.add(ONE_SECOND)))
                        .where(TASK_OUTCOME.STATUS.eq(inline(status.word())))
                        .and(matches(filter, TASK_OUTCOME.ID))
                        .and(is(filter, TASK.TYPE, TASK.QUEUE));
        };
    }

    private static Condition is(TaskFilter filter, TableField<?, String> type, TableField<?, String> queue) {
        return filter.type()
                .map(type::eq)
                .orElse(trueCondition())
                .and(filter.queue().map(queue::eq).orElse(trueCondition()));
    }

    /** What the id says, and the exact time of creation if that is asked for. */
    private static Condition matches(TaskFilter filter, TableField<?, Long> id) {
        Condition created = filter.createdFrom()
                .map(TaskSelector::from)
                .orElse(trueCondition())
                .and(filter.createdBefore().map(TaskSelector::before).orElse(trueCondition()));
        boolean isTimed =
                filter.createdFrom().isPresent() || filter.createdBefore().isPresent();
        return filter.upTo()
                .map(upTo -> id.le(upTo.value()))
                .orElse(trueCondition())
                .and(isTimed ? id.in(select(TASK.ID).from(TASK).where(created)) : trueCondition());
    }

    private static Condition from(Instant instant) {
        return TASK.CREATED_AT.ge(instant.atOffset(ZoneOffset.UTC));
    }

    private static Condition before(Instant instant) {
        return TASK.CREATED_AT.lt(instant.atOffset(ZoneOffset.UTC));
    }
}
