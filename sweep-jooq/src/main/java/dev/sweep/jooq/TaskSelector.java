package dev.sweep.jooq;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.trueCondition;

import dev.sweep.TaskFilter;
import dev.sweep.TaskId;
import dev.sweep.TaskSelection;
import java.time.OffsetDateTime;
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

/** Finds the ids of all tasks that match a filter, from the narrow places where tasks of a status are. */
final class TaskSelector {

    private static final Field<Long> ID = field(name("id"), Long.class);

    private static final int FETCH_SIZE = 10_000;

    private final DSLContext sql;

    TaskSelector(DSLContext sql) {
        this.sql = sql;
    }

    /** In one statement, so a task that moves meanwhile is not met twice; read in pieces, since there may be a million. */
    TaskSelection selection(TaskFilter filter, int limit) {
        Select<Record1<Long>> all = filter.statuses().stream()
                .flatMap(status -> TaskPlace.of(status).stream())
                .<Select<Record1<Long>>>map(
                        place -> place.ids(filter.type(), filter.queue()).and(matches(filter, place)))
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

    /** What the id says, and the exact time of creation if that is asked for. */
    private static Condition matches(TaskFilter filter, TaskPlace place) {
        boolean isTimed =
                filter.createdFrom().isPresent() || filter.createdBefore().isPresent();
        return filter.upTo()
                .map(upTo -> place.id().le(upTo.value()))
                .orElse(trueCondition())
                .and(isTimed ? place.created(at -> within(filter, at)) : trueCondition());
    }

    private static Condition within(TaskFilter filter, TableField<?, OffsetDateTime> createdAt) {
        return filter.createdFrom()
                .map(from -> createdAt.ge(from.atOffset(ZoneOffset.UTC)))
                .orElse(trueCondition())
                .and(filter.createdBefore()
                        .map(before -> createdAt.lt(before.atOffset(ZoneOffset.UTC)))
                        .orElse(trueCondition()));
    }
}
