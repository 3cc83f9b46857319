package dev.sweep.jooq;

import static dev.sweep.jooq.schema.Tables.DEAD_LETTER;
import static dev.sweep.jooq.schema.Tables.TASK;
import static dev.sweep.jooq.schema.Tables.TASK_OUTCOME;
import static dev.sweep.jooq.schema.Tables.TASK_READY;
import static dev.sweep.jooq.schema.Tables.TASK_RUNNING;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.trueCondition;

import dev.sweep.TaskStatus;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.Record1;
import org.jooq.SelectConditionStep;
import org.jooq.Table;
import org.jooq.TableField;
import org.jooq.types.DayToSecond;
import org.jspecify.annotations.Nullable;

/**
 * Where tasks of a status are: rows of which each has the id, type and queue of one.
 *
 * @param here what tells them from other rows
 * @param createdAt null: only {@code task} knows
 */
record TaskPlace(
        Table<?> rows,
        Condition here,
        TableField<?, Long> id,
        TableField<?, String> type,
        TableField<?, String> queue,
        @Nullable TableField<?, OffsetDateTime> createdAt) {

    /** An outcome bears the second of its task's creation. */
    private static final DayToSecond ONE_SECOND = new DayToSecond(0, 0, 0, 1);

    private static final TaskPlace READY =
            new TaskPlace(TASK_READY, trueCondition(), TASK_READY.ID, TASK_READY.TYPE, TASK_READY.QUEUE, null);

    private static final TaskPlace RUNNING =
            new TaskPlace(TASK_RUNNING, trueCondition(), TASK_RUNNING.ID, TASK_RUNNING.TYPE, TASK_RUNNING.QUEUE, null);

    private static final TaskPlace DEAD = new TaskPlace(
            DEAD_LETTER, trueCondition(), DEAD_LETTER.ID, DEAD_LETTER.TYPE, DEAD_LETTER.QUEUE, DEAD_LETTER.CREATED_AT);

    private static final TaskPlace IN_PARTITIONS =
            new TaskPlace(TASK, trueCondition(), TASK.ID, TASK.TYPE, TASK.QUEUE, TASK.CREATED_AT);

    /** The places of all tasks. */
    static List<TaskPlace> ofAll() {
        return List.of(IN_PARTITIONS, DEAD);
    }

    static List<TaskPlace> of(TaskStatus status) {
        return switch (status) {
            case PENDING -> List.of(READY);
            case PROCESSING -> List.of(RUNNING);
            case FAILED -> List.of(ended(status), DEAD);
            case SUCCEEDED, CANCELLED -> List.of(ended(status));
        };
    }

    private static TaskPlace ended(TaskStatus status) {
        return new TaskPlace(
                TASK_OUTCOME
                        .join(TASK)
                        .on(TASK.ID.eq(TASK_OUTCOME.ID))
                        .and(TASK.CREATED_AT.ge(TASK_OUTCOME.CREATED_AT))
                        .and(TASK.CREATED_AT.lt(TASK_OUTCOME.CREATED_AT.add(ONE_SECOND))),
                TASK_OUTCOME.STATUS.eq(inline(status.word())),
                TASK_OUTCOME.ID,
                TASK.TYPE,
                TASK.QUEUE,
                TASK.CREATED_AT);
    }

    /** The ids of the tasks there. */
    SelectConditionStep<Record1<Long>> ids(Optional<String> ofType, Optional<String> ofQueue) {
        return select(id)
                .from(rows)
                .where(here)
                .and(ofType.map(type::eq).orElse(trueCondition()))
                .and(ofQueue.map(queue::eq).orElse(trueCondition()));
    }

    /** That the exact time of creation is as asked. */
    Condition created(Function<TableField<?, OffsetDateTime>, Condition> asked) {
        return createdAt == null
                ? id.in(select(TASK.ID).from(TASK).where(asked.apply(TASK.CREATED_AT)))
                : asked.apply(createdAt);
    }
}
