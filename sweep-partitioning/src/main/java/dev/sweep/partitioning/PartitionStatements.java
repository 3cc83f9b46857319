package dev.sweep.partitioning;

import dev.sweep.jooq.StoreDatabase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The statements about the layout, as text that pastes into psql. Tables in use are changed only by changes of the catalog
 * that take milliseconds, under short lock timeouts; what reads whole tables locks nobody out.
 */
final class PartitionStatements {

    /** On an open leaf: it will end there. Validated beforehand, it saves the look through all rows under a strong lock. */
    private static final String FIRST_BOUND = "sweep_first_bound";

    private final StoreDatabase database;

    PartitionStatements(StoreDatabase database) {
        this.database = database;
    }

    // @formatter:off

    /** Bounds are read back as text, which depends on these. */
    String plainDates() {
        return "set local timezone = 'UTC'; set local datestyle = 'ISO'";
    }

    /** Rows: parent, leaf, bounds (null: none), whether it is the default one, whether a detach is pending. Locks nothing. */
    String leaves() {
        return database.sql("""
            select p.relname as parent, c.relname as leaf,
                   (regexp_match(b.text, 'FROM \\(''([^'']+)''\\)'))[1]::timestamptz as lower_at,
                   (regexp_match(b.text, 'TO \\(''([^'']+)''\\)'))[1]::timestamptz as upper_at,
                   b.text = 'DEFAULT' as is_default, i.inhdetachpending as is_pending
            from pg_catalog.pg_inherits i
            join pg_catalog.pg_class c on c.oid = i.inhrelid
            join pg_catalog.pg_class p on p.oid = i.inhparent
            cross join lateral (select pg_catalog.pg_get_expr(c.relpartbound, c.oid)) b(text)
            where i.inhparent in ('${schemaText}.task'::regclass, '${schemaText}.task_failure'::regclass,
                                  '${schemaText}.task_outcome'::regclass)
            """);
    }

    /** Tables of the schema that may be called like partitions, and are none. Locks nothing. */
    String looseTables() {
        return database.sql("""
            select c.relname as name
            from pg_catalog.pg_class c
            where c.relnamespace = (select p.relnamespace from pg_catalog.pg_class p
                                    where p.oid = '${schemaText}.task'::regclass)
              and c.relkind = 'r' and not c.relispartition and c.relname like 'task\\_%'
              and c.relname not in ('task_ready', 'task_running', 'task_lease', 'task_key')
            """);
    }

    /** Ranges whose tables retention left to the owner. */
    String keptRanges() {
        return database.sql("select name from ${schema}.partition_retired where stage = 'kept'");
    }

    /** At most one row. */
    String plan() {
        return database.sql(
            "select period, first_bound, converted_at is not null as is_converted from ${schema}.partition_plan");
    }

    /** Rows: leaf, whether the constraint for its coming bound is validated. */
    String firstBounds() {
        return database.sql("""
            select c.relname, k.convalidated
            from pg_catalog.pg_constraint k
            join pg_catalog.pg_class c on c.oid = k.conrelid
            join pg_catalog.pg_inherits i on i.inhrelid = c.oid
            where k.conname = '""" + FIRST_BOUND + """
            ' and i.inhparent in ('${schemaText}.task'::regclass, '${schemaText}.task_failure'::regclass,
                                  '${schemaText}.task_outcome'::regclass)
            """);
    }

    String hasRows(Leaf leaf) {
        return "select exists (select from " + table(leaf.tableName()) + ")";
    }

    /** Ends with its transaction. Whoever changes the layout takes it, so that nobody meets a half of it. */
    String lockLayout() {
        return database.sql(
            "select pg_advisory_xact_lock(hashtextextended('sweep partitions ' || '${schemaText}', 0))");
    }

    /** From here on whoever queues behind a lock of this transaction waits no longer than that. */
    String waitBriefly() {
        return "set local lock_timeout = '100ms'";
    }

    String choose(String period, Instant firstBound) {
        return database.sql("insert into ${schema}.partition_plan (period, first_bound) values (")
            + literal(period) + ", " + literal(firstBound) + ")";
    }

    String chooseAnew(Instant firstBound) {
        return database.sql("update ${schema}.partition_plan set first_bound = ") + literal(firstBound);
    }

    String converted() {
        return database.sql("update ${schema}.partition_plan set converted_at = clock_timestamp()");
    }

    String forget() {
        return database.sql("delete from ${schema}.partition_plan");
    }

    /** ACCESS EXCLUSIVE on the leaf, for a change of the catalog. */
    String addFirstBound(Leaf leaf, Instant bound) {
        String lower = leaf.from().equals(Instant.MIN) ? "" : "created_at >= " + literal(leaf.from()) + " and ";
        return "alter table " + table(leaf.tableName()) + " add constraint " + FIRST_BOUND + " check (" + lower
            + "created_at < " + literal(bound) + ") not valid";
    }

    /** Reads the whole leaf; SHARE UPDATE EXCLUSIVE, so nobody waits for it. */
    String validateFirstBound(String leaf) {
        return "alter table " + table(leaf) + " validate constraint " + FIRST_BOUND;
    }

    /** ACCESS EXCLUSIVE on the leaf, for a change of the catalog. */
    String dropFirstBound(String leaf) {
        return "alter table " + table(leaf) + " drop constraint if exists " + FIRST_BOUND;
    }

    /** Both together or none, so that no half of the layout is ever in use. */
    String lockTables() {
        return database.sql("lock table ${schema}.task, ${schema}.task_failure, ${schema}.task_outcome in access exclusive mode");
    }

    /** Under the lock of all tables: gives up, as if it had not been got, if a row came in between. */
    String assertEmpty(List<Leaf> leaves) {
        List<String> looks = new ArrayList<>();
        leaves.forEach(leaf -> looks.add("exists (select from " + table(leaf.tableName()) + ")"));
        return "do $sweep$ begin if " + String.join(" or ", looks) + " then raise exception using errcode = '40001',"
            + " message = 'a task was enqueued meanwhile'; end if; end $sweep$";
    }

    /** Gives an open leaf its upper bound. Its rows are not looked at, since the validated constraint says what they are. */
    List<String> bound(Leaf leaf, Instant bound) {
        String parent = table(leaf.table().parent());
        String name = table(leaf.tableName());
        return List.of(
            "alter table " + parent + " detach partition " + name,
            "alter table " + parent + " attach partition " + name + " for values from (" + lower(leaf.from()) + ") to ("
                + literal(bound) + ")");
    }

    /** A new, empty leaf. ATTACH takes SHARE UPDATE EXCLUSIVE, where CREATE TABLE PARTITION OF would lock everybody out. */
    List<String> create(PartitionTable table, String rangeName, Instant from, Instant to) {
        String parent = table(table.parent());
        String name = table(table.leaf(rangeName));
        return List.of(
            "create table " + name + " (like " + parent + " including all, primary key (" + table.key() + "))",
            attach(table, rangeName, from, to));
    }

    /** A leaf that is there. What a concurrent detach left behind spares it the look through its rows. */
    String attach(PartitionTable table, String rangeName, Instant from, Instant to) {
        return "alter table " + table(table.parent()) + " attach partition " + table(table.leaf(rangeName))
            + " for values from (" + lower(from) + ") to (" + (to.equals(Instant.MAX) ? "maxvalue" : literal(to)) + ")";
    }

    /**
     * A range that was dropped or kept while the clock was ahead, and is in use anew: what it holds when it is retired again
     * has not been taken off the totals.
     */
    String forgetRetired(String rangeName) {
        return database.sql("delete from ${schema}.partition_retired where stage in ('dropped', 'kept') and name = ")
            + literal(rangeName);
    }

    /** Before a kept range is forgotten, with its tables back in use: what was taken off the totals when it went. */
    String addToTotals(String rangeName) {
        return database.sql(RangeTotals.addedIf("""
            exists (select from ${schema}.partition_retired r
                    where r.name = '${range}' and r.stage = 'kept' and r.tasks is not null)""")).replace("${range}", rangeName);
    }

    /** Rows: who holds locks on the tables, and for how long: sessions and prepared transactions, the oldest first. */
    String holders() {
        return database.sql("""
            select h.who, date_trunc('second', clock_timestamp() - h.since)::text as open_for
            from (
                select distinct l.pid, l.virtualtransaction
                from pg_catalog.pg_locks l
                where l.granted and l.locktype = 'relation' and l.pid is distinct from pg_backend_pid()
                  and (l.relation in ('${schemaText}.task'::regclass, '${schemaText}.task_failure'::regclass,
                                      '${schemaText}.task_outcome'::regclass)
                       or exists (
                           select from pg_catalog.pg_inherits i
                           where i.inhrelid = l.relation
                             and i.inhparent in ('${schemaText}.task'::regclass, '${schemaText}.task_failure'::regclass,
                                                 '${schemaText}.task_outcome'::regclass)))) k
            cross join lateral (
                select format('process %s of user %s, application %L, %s', a.pid, a.usename, a.application_name, a.state)
                       as who, a.xact_start as since
                from pg_catalog.pg_stat_activity a
                where a.pid = k.pid
                union all
                select format('prepared transaction %L of user %s', x.gid, x.owner), x.prepared
                from pg_catalog.pg_locks o
                join pg_catalog.pg_prepared_xacts x on x.transaction = o.transactionid
                where k.pid is null and o.pid is null and o.virtualtransaction = k.virtualtransaction) h
            order by h.since
            limit 5
            """);
    }

    // @formatter:on

    private String table(String name) {
        return database.quotedSchema() + "." + name;
    }

    private static String lower(Instant from) {
        return from.equals(Instant.MIN) ? "minvalue" : literal(from);
    }

    private static String literal(Object value) {
        return "'" + value + "'";
    }
}
