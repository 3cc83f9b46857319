package dev.sweep.cli.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The one table that both hand-written loops work on: a row a task, whose status says where it stands. */
final class OneTable {

    static final String TYPE = "bench.nothing";

    private OneTable() {}

    static void create(Place place, Stock stock) throws SQLException {
        place.execute("create schema " + quoted(place), sql(place, """
                        create table $tasks (
                            id          bigint      generated always as identity primary key,
                            created_at  timestamptz not null default now(),
                            run_at      timestamptz not null default now(),
                            started_at  timestamptz,
                            finished_at timestamptz,
                            attempts    integer     not null default 0,
                            priority    smallint    not null default 1,
                            status      text        not null default 'pending',
                            type        text        not null,
                            dedup_key   text,
                            payload     jsonb       not null
                        )
                        """), sql(place, """
                        create index tasks_claim on $tasks (priority desc, run_at, id) where status = 'pending'
                        """), sql(place, """
                        create unique index tasks_dedup_key on $tasks (dedup_key) where dedup_key is not null
                        """));
        fill(place, stock);
    }

    private static void fill(Place place, Stock stock) throws SQLException {
        String template = sql(place, """
                insert into $tasks (status, created_at, run_at, started_at, finished_at, attempts, type, payload)
                select %s, now() - interval '1 day', now() - interval '1 hour', %s, %s, %s, '%s', '%s'
                from generate_series(1, %d)
                """);
        String payload = stock.payload().replace("'", "''");
        if (stock.finished() > 0) {
            place.execute(template.formatted("'succeeded'", "now()", "now()", "1", TYPE, payload, stock.finished()));
        }
        if (stock.waiting() > 0) {
            place.execute(template.formatted("'pending'", "null", "null", "0", TYPE, payload, stock.waiting()));
        }
    }

    static Census census(Place place) throws SQLException {
        try (Connection connection = place.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql(place, """
                        select count(*) filter (where status <> 'succeeded'), count(*) filter (where status = 'succeeded')
                        from $tasks
                        """))) {
            row.next();
            return new Census(row.getLong(1), row.getLong(2));
        }
    }

    /** The text with the table's name in it. */
    static String sql(Place place, String template) {
        return template.replace("$tasks", quoted(place) + ".tasks");
    }

    private static String quoted(Place place) {
        return '"' + place.schema() + '"';
    }
}
