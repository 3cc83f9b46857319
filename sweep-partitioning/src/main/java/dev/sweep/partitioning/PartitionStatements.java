package dev.sweep.partitioning;

import dev.sweep.jooq.StoreDatabase;

/**
 * Every statement about partitions, as text that pastes into psql. Tables in use are changed only by catalog changes of
 * milliseconds, under short lock timeouts.
 */
final class PartitionStatements {

    private final StoreDatabase database;

    PartitionStatements(StoreDatabase database) {
        this.database = database;
    }

    // @formatter:off

    String now() {
        return "select clock_timestamp()";
    }

    /** Bounds are read back as text, which depends on these. */
    String plainDates() {
        return "set local timezone = 'UTC'; set local datestyle = 'ISO'";
    }

    /** Rows: parent, leaf, bounds (null: none), whether a detach is pending. Locks nothing. */
    String leaves() {
        return database.sql("""
            select p.relname as parent, c.relname as leaf,
                   (regexp_match(b.text, 'FROM \\(''([^'']+)''\\)'))[1]::timestamptz as lower_at,
                   (regexp_match(b.text, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz as upper_at,
                   i.inhdetachpending as is_pending
            from pg_catalog.pg_inherits i
            join pg_catalog.pg_class c on c.oid = i.inhrelid
            join pg_catalog.pg_class p on p.oid = i.inhparent
            cross join lateral (select pg_catalog.pg_get_expr(c.relpartbound, c.oid)) b(text)
            where i.inhparent in ('${schemaText}.task'::regclass, '${schemaText}.task_failure'::regclass,
                                  '${schemaText}.task_outcome'::regclass)
            """);
    }

    // @formatter:on
}
