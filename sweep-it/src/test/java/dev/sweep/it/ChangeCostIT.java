package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.TaskId;
import dev.sweep.TaskType;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a change by hand reads does not depend on how many tasks there were before. */
class ChangeCostIT {

    private static final TaskType<Json> TYPE = TaskType.json("t");
    private static final Pattern BLOCKS = Pattern.compile("Shared (?:Hit|Read) Blocks\": (\\d+)");
    private static final int HISTORY = 30_000;

    @RegisterExtension
    static final Database db = Database.named("change_cost");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sweep.cancel_task(%s)",
                "sweep.cancel_tasks(array[%s]::bigint[])",
                "sweep.requeue_tasks(array[%s]::bigint[])",
                "sweep.delete_dead_letters(array[%s]::bigint[])",
                "sweep.move_tasks(array[%s]::bigint[], 1::smallint, null)"
            })
    void longHistoryCostsNoMoreBlocks(String call) {
        boolean isRequeue = call.contains("requeue");
        blocksOf(call, task(isRequeue));
        long few = blocksOf(call, task(isRequeue));
        db.execute("with old as (select sweep.id_at(at, n) as id, at from (select n, now() - interval '1 hour'"
                + " - n * interval '10 ms' as at from generate_series(1, " + HISTORY + ") n) o),"
                + " tasks as (insert into sweep.task (id, created_at, due_at, type, payload)"
                + " select id, at, at, 't', '{}' from old)"
                + " insert into sweep.task_outcome (id, created_at, finished_at, retries, losses, status)"
                + " select id, sweep.id_time(id), at, 0, 0, 'failed' from old");
        db.execute("select sweep.move_dead_letters(null, " + HISTORY / 2 + ")");
        long afterwards = blocksOf(call, task(isRequeue));

        assertThat(few).isPositive();
        assertThat(afterwards).as("blocks read, %s before", few).isLessThan(few + 40);
    }

    private static TaskId task(boolean isEnded) {
        TaskId id = db.sweep.enqueue(TYPE.with(Json.of("{}"))).id();
        if (isEnded) {
            db.sweep.cancel(id);
        }
        return id;
    }

    private static long blocksOf(String call, TaskId id) {
        List<Object> plan =
                db.query("explain (analyze, buffers, timing off, format json) select * from " + call.formatted(id));
        Matcher blocks = BLOCKS.matcher(plan.get(0).toString());
        long sum = 0;
        for (int i = 0; i < 2 && blocks.find(); i++) {
            sum += Long.parseLong(blocks.group(1));
        }
        return sum;
    }
}
