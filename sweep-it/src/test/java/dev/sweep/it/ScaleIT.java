package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.TaskId;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.partitioning.CalendarPeriod;
import dev.sweep.partitioning.PartitionManager;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What each step reads, in buffers, does not grow with what is finished and what waits. Small in the gate; {@code -Pscale}
 * takes five million finished tasks and one million waiting ones, and prints what each step read.
 */
class ScaleIT {

    private static final long FINISHED = Long.getLong("sweep.test.scale.finished", 50_000);
    private static final long WAITING = Long.getLong("sweep.test.scale.waiting", 10_000);
    private static final int DAYS = 52;
    private static final int BATCH = 100;

    @RegisterExtension
    static final Database plain = Database.named("scale_plain");

    @RegisterExtension
    static final Database partitioned = Database.named("scale_partitioned");

    @Test
    void stepsReadNoMoreOnOneTable() {
        load(plain);
        judge(plain, "one table");
    }

    @Test
    void stepsReadNoMoreOnPartitions() {
        PartitionManager.builder(partitioned.store).ahead(DAYS - 1).build().enable(CalendarPeriod.DAY);
        load(partitioned);
        judge(partitioned, DAYS + " partitions");
    }

    /** Spread over the days; ended ones are folded into one count a status, as maintenance does. */
    private static void load(Database db) {
        db.execute("""
                with made as (
                    select sweep.id_at(at, n) as id, at, n
                    from (select date_trunc('day', now(), 'UTC') + (n %% %d) * interval '1 day'
                                 + (n / %d) * interval '10 ms' as at, n
                          from generate_series(1, %d) n) m
                ), stored as (
                    insert into sweep.task (id, created_at, due_at, type, payload)
                    select id, at, now() - interval '1 hour', 't', '{"to": "someone@example.com"}' from made
                ), counted as (
                    insert into sweep.stat_delta (status, tasks, run_micros) values ('succeeded', %d, 1)
                ), waiting as (
                    insert into sweep.task_ready (queue, rank, due_at, id, type)
                    select 'default', 9, now() - interval '1 hour', id, 't' from made where n > %d
                )
                insert into sweep.task_outcome (id, created_at, finished_at, retries, losses, status)
                select id, sweep.id_time(id), at, 0, 0, 'succeeded' from made where n <= %d
                """.formatted(DAYS, DAYS, FINISHED + WAITING, FINISHED, FINISHED, FINISHED));
        db.execute("vacuum analyze");
    }

    private static void judge(Database db, String layout) {
        TableCounters counters = new TableCounters(db);
        TaskId ended = TaskId.of((Long)
                db.query("select id from sweep.task_outcome offset 777 limit 1").get(0));
        long stats = read(counters, layout, "task_stats", store -> store.counts());
        long find = read(
                counters,
                layout,
                "look-up by id",
                store -> assertThat(store.find(ended)).isPresent());
        long claim = read(counters, layout, "claim of " + BATCH, ScaleIT::claim);
        List<ClaimedTask> held = new ArrayList<>();
        counters.during(store -> held.addAll(claim(store)));
        long completion = counters.during(store -> store.complete(held.stream()
                        .map(task -> new Completion(task.attempt(), Duration.ofMillis(1)))
                        .toList()))
                .buffers();
        tell(layout, "completion of " + BATCH, completion);
        churn(db);
        long afterChurn = read(counters, layout, "task_stats after churn", store -> store.counts());

        assertThat(stats).as("task_stats").isLessThan(4_500);
        assertThat(afterChurn).as("task_stats after churn").isLessThan(4_500);
        // A look-up probes the outcomes' key in each partition: so many more with partitions, and none with the
        // history.
        assertThat(find).as("look-up").isLessThan(60 + (db == plain ? 0 : DAYS * 15));
        assertThat(claim).as("claim of " + BATCH).isLessThan(BATCH * 40L);
        assertThat(completion).as("completion of " + BATCH).isLessThan(BATCH * 30L);
    }

    /** Dead rows from the first page to the last, which nobody has vacuumed. */
    private static void churn(Database db) {
        db.execute("""
                with gone as (delete from sweep.task_ready where id % 2 = 0 returning *)
                insert into sweep.task_ready select * from gone
                """);
    }

    private static List<ClaimedTask> claim(JooqTaskStore store) {
        List<ClaimedTask> tasks = store.claim(
                        new ClaimRequest("w", Set.of("t"), Map.of("default", BATCH), 0, Duration.ofMinutes(30), true))
                .tasks();
        assertThat(tasks).hasSize(BATCH);
        return tasks;
    }

    /** The least of three times: the others may have met a vacuum or the first look of a session. */
    private static long read(TableCounters counters, String layout, String step, Consumer<JooqTaskStore> work) {
        long least = LongStream.generate(() -> counters.during(work).buffers())
                .limit(3)
                .min()
                .orElseThrow();
        tell(layout, step, least);
        return least;
    }

    private static void tell(String layout, String step, long buffers) {
        System.out.printf(
                "scale: %,d finished, %,d waiting, %s: %s reads %,d buffers%n",
                FINISHED, WAITING, layout, step, buffers);
    }
}
