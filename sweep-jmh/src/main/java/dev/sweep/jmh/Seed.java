package dev.sweep.jmh;

/**
 * Makes tasks by the set, straight into the tables, as if they had been enqueued: spread evenly over the weeks of the
 * layout, all due. Not thread-safe.
 */
final class Seed {

    static final String TYPE = "bench.nothing";
    static final String QUEUE = "default";
    /** Some 100 bytes as it is stored. */
    static final String PAYLOAD = payload(56);

    private final Installation installation;
    private final int weeks;
    private final String payload;
    private long made;

    Seed(Installation installation, Layout layout) {
        this(installation, layout, PAYLOAD);
    }

    Seed(Installation installation, Layout layout, String payload) {
        this.installation = installation;
        this.weeks = layout.weeks();
        this.payload = payload;
    }

    static String payload(int textChars) {
        return "{\"to\": \"someone@example.com\", \"text\": \"" + "x".repeat(textChars) + "\"}";
    }

    /** Tasks that wait, the newest due last. */
    void waiting(long tasks) {
        make(tasks, """
                insert into sweep.task_ready (queue, rank, due_at, id, type)
                select '%s', 9, clock_timestamp(), id, '%s' from made
                """.formatted(QUEUE, TYPE));
    }

    /** Tasks that have succeeded; their number stands in one row of the totals, as maintenance leaves it. */
    void finished(long tasks) {
        make(tasks, """
                insert into sweep.task_outcome (id, created_at, finished_at, retries, losses, status)
                select id, sweep.id_time(id), at, 0, 0, 'succeeded' from made
                """);
        installation.execute(
                "insert into sweep.stat_delta (status, tasks, run_micros) values ('succeeded', " + tasks + ", 1)");
    }

    /** A second apart from each other are ids that share the 22 bits of their sequence. */
    private void make(long tasks, String state) {
        installation.execute("""
                with made as (
                    select sweep.id_at(at, n) as id, at
                    from (select date_trunc('week', now(), 'UTC') + (n %% %d) * interval '1 week'
                                 + (n / %d) * interval '1 ms' as at, n
                          from generate_series(%d::bigint, %d) n) m
                ), stored as (
                    insert into sweep.task (id, created_at, due_at, type, queue, payload)
                    select id, at, now(), '%s', '%s', '%s' from made
                )
                """.formatted(weeks, weeks, made, made + tasks - 1, TYPE, QUEUE, payload) + state);
        made += tasks;
    }

    /** As autovacuum would leave it, given time. */
    void settle() {
        installation.execute("vacuum analyze sweep.task");
        installation.execute("vacuum analyze sweep.task_outcome");
        installation.execute("vacuum analyze sweep.task_ready");
        installation.execute("vacuum analyze sweep.stat_delta");
    }
}
