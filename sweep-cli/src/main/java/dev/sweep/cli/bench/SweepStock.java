package dev.sweep.cli.bench;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.PooledDataSource;
import dev.sweep.partitioning.CalendarPeriod;
import dev.sweep.partitioning.PartitionManager;
import java.sql.SQLException;

/** Fills a fresh schema of Sweep's with tasks, millions in a minute. */
final class SweepStock {

    /**
     * One statement for all: facts, queue entries, outcomes and totals. An id embeds its second, and its remainder is the
     * task's number, so no two are the same. Weeks begin at the present one, where new tasks go too.
     */
    private static final String FILL =
            // @formatter:off
            """
            with made as (
                select $s.id_at(at, n) as id, at, n
                from (select $begin + (n %% %2$d) * interval '1 week' + (n / %2$d) * interval '1 ms' as at, n
                      from generate_series(%1$d + 1, %1$d + %3$d) n) m
            ), stored as (
                insert into $s.task (id, created_at, due_at, type, payload)
                select id, at, now() - interval '1 hour', '%4$s', '%5$s' from made order by id
            )
            """;
            // @formatter:on

    private static final String FINISHED =
            // @formatter:off
            """
            , counted as (
                insert into $s.stat_delta (status, tasks, run_micros) values ('succeeded', %3$d, %3$d)
            )
            insert into $s.task_outcome (id, created_at, started_at, finished_at, lease, retries, losses, status, worker)
            select id, $s.id_time(id), least(at, now()), least(at, now()), 0, 0, 0, 'succeeded', 'stock' from made order by id
            """;
            // @formatter:on

    /** Due in the order of their ids. */
    private static final String WAITING =
            // @formatter:off
            """
            insert into $s.task_ready (queue, rank, due_at, id, type)
            select 'default', 9, now() - interval '1 hour', id, '%4$s' from made order by id
            """;
            // @formatter:on

    private SweepStock() {}

    static void fill(Place place, Stock stock) throws SQLException {
        if (stock.partitions() > 0) {
            attachWeeks(place, stock.partitions());
        }
        insert(place, stock, 0, stock.finished(), FILL + FINISHED);
        insert(place, stock, stock.finished(), stock.waiting(), FILL + WAITING);
    }

    private static void attachWeeks(Place place, int weeks) {
        try (HikariDataSource pool = PooledDataSource.open(
                        place.jdbcUrl(), place.user(), place.password(), SweepContender.CONNECTIONS);
                JooqTaskStore store =
                        JooqTaskStore.builder(pool).schema(place.schema()).build()) {
            PartitionManager.builder(store).ahead(weeks - 1).build().enable(CalendarPeriod.WEEK);
        }
    }

    private static void insert(Place place, Stock stock, long after, long count, String template) throws SQLException {
        if (count > 0) {
            // Without partitions in the day before; with them in the weeks, of which the present one has begun.
            String begin = stock.partitions() > 0
                    ? "date_trunc('week', now(), 'UTC')"
                    : "date_trunc('second', now() - interval '1 day')";
            place.execute(template.formatted(
                            after,
                            Math.max(stock.partitions(), 1),
                            count,
                            SweepContender.TYPE.name(),
                            stock.payload().replace("'", "''"))
                    .replace("$begin", begin)
                    .replace("$s", '"' + place.schema() + '"'));
        }
    }
}
