package dev.sweep.partitioning;

import dev.sweep.jooq.StoreDatabase;
import java.time.Instant;

/**
 * Every statement that retires a range, as text that pastes into psql. {@code task_${range}} and its like are the same
 * tables before and after they are detached, so one text judges both. The statements on live tables are bounded and lock
 * nothing; everything else works on tables of the past, which nobody else writes to.
 */
final class RetirementStatements {

    /** Of each kind, in a report. */
    static final int MOST_STRAGGLERS = 20;

    private final StoreDatabase database;

    RetirementStatements(StoreDatabase database) {
        this.database = database;
    }

    // @formatter:off

    /**
     * Held by whoever takes the next step, to the end of the transaction: one at a time in this schema. Needs no table, so
     * that DETACH CONCURRENTLY does not wait for its holder.
     */
    String tryGuard() {
        return database.sql("select pg_try_advisory_xact_lock(hashtextextended('sweep retirement in ${schemaText}', 0))");
    }

    /**
     * After the guard is got: bounds how long it is held should this process fall off the network. Runs also because the
     * answer to a SELECT keeps its snapshot until the next statement, and FINALIZE waits for all snapshots.
     */
    String boundGuard() {
        return "set local idle_in_transaction_session_timeout = '15min'";
    }

    /** Rows: all retirements, oldest first; a bound that is null: none. */
    String retirements() {
        return database.sql("""
            select name, nullif(lower_at, '-infinity') as lower_at, nullif(upper_at, 'infinity') as upper_at, stage,
                   position, tasks
            from ${schema}.partition_retired r
            order by r.upper_at, name
            """);
    }

    /**
     * Parameters: name, bounds, stage, note. A range that was retired before, restored and attached again begins anew, but
     * has been taken off the totals already.
     */
    String choose() {
        return database.sql("""
            insert into ${schema}.partition_retired as r (name, lower_at, upper_at, stage, note)
            values (?, ?::timestamptz, ?::timestamptz, ?, ?)
            on conflict (name) do update
            set lower_at = excluded.lower_at, upper_at = excluded.upper_at, stage = excluded.stage, note = excluded.note,
                position = null, changed_at = clock_timestamp()
            where r.stage in ('kept', 'dropped')
            """);
    }

    /** Parameters: new stage, note, name, old stage. One row, or nobody is where they thought. */
    String move() {
        return database.sql("""
            update ${schema}.partition_retired
            set stage = ?, note = coalesce(?, note), changed_at = clock_timestamp()
            where name = ? and stage = ?
            """);
    }

    /** Parameter: name. */
    String forget() {
        return database.sql("delete from ${schema}.partition_retired where name = ? and stage = 'returning'");
    }

    /** Which of the three tables of a range exist, attached or not. */
    String tables(String range) {
        return database.sql("""
            select c.relname as name, c.relispartition as is_attached
            from pg_catalog.pg_class c
            join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            where n.nspname = ? and c.relkind = 'r'
              and c.relname in ('task_${range}', 'task_failure_${range}', 'task_outcome_${range}')
            """).replace("${range}", range);
    }

    /** Whether a transaction of someone else, a prepared one included, has written to a table of the range, or is about to. */
    String hasWriters(String range) {
        return database.sql("""
            select exists (
                select from pg_catalog.pg_locks l
                where l.locktype = 'relation'
                  and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())
                  and l.relation in (to_regclass('${schemaText}.task_${range}'), to_regclass('${schemaText}.task_failure_${range}'),
                                     to_regclass('${schemaText}.task_outcome_${range}'))
                  and l.mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
                  and l.pid is distinct from pg_backend_pid())
            """).replace("${range}", range);
    }

    /**
     * Who would hold up DETACH CONCURRENTLY, which waits for every transaction that has used the parent. Parameter: micros.
     * Rows: (process id or null for a prepared transaction, seconds). Sessions of other roles hide their age from those who
     * are not in pg_read_all_stats; the wait is bounded anyway.
     */
    String oldUsers(PartitionTable table) {
        return database.sql("""
            select l.pid, extract(epoch from clock_timestamp() - a.xact_start)::bigint as seconds
            from pg_catalog.pg_locks l
            left join pg_catalog.pg_stat_activity a on a.pid = l.pid
            where l.locktype = 'relation' and l.granted
              and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())
              and l.relation = '${schemaText}.${parent}'::regclass
              and l.pid is distinct from pg_backend_pid()
              and (l.pid is null or a.xact_start < clock_timestamp() - ? * interval '1 microsecond')
            order by seconds desc nulls first
            limit 1
            """).replace("${parent}", table.parent());
    }

    /** Waits only for whoever uses the leaf; nobody can queue behind it, since no new query sees it any more. */
    String detach(PartitionTable table, String range) {
        return database.sql("alter table ${schema}." + table.parent() + " detach partition ${schema}." + table.leaf(range)
                + " concurrently");
    }

    /** Ends a detach that was interrupted: until then it stands in the way of every other. */
    String finish(PartitionTable table, String range) {
        return database.sql("alter table ${schema}." + table.parent() + " detach partition ${schema}." + table.leaf(range)
                + " finalize");
    }

    /** The CHECK that a concurrent detach leaves behind spares it the scan, a plain one leaves none; enqueues go on meanwhile. */
    String attach(PartitionTable table, PartitionRange range) {
        return database.sql("alter table ${schema}." + table.parent() + " attach partition ${schema}."
                + table.leaf(range.name()) + " for values from (" + bound(range.from()) + ") to (" + bound(range.to()) + ")");
    }

    private static String bound(Instant instant) {
        if (instant.equals(Instant.MIN)) {
            return "minvalue";
        }
        return instant.equals(Instant.MAX) ? "maxvalue" : "'" + instant + "'";
    }

    /** Whether the range is past the retention. Parameters: its end, micros. */
    String isPast() {
        return "select ?::timestamptz <= clock_timestamp() - ? * interval '1 microsecond'";
    }

    /**
     * What waits or runs, of these ids: one statement, since a claim moves tasks from one to the other. Parameters: least
     * id, end; twice. Reads all of the claim index, about 0.7 s with 5M waiting.
     */
    String live() {
        return database.sql("""
            (select id, 'waiting' as place from ${schema}.task_ready where id >= ? and id < ? order by id limit ${most})
            union all
            (select id, 'running' from ${schema}.task_running where id >= ? and id < ? order by id limit ${most})
            """).replace("${most}", Integer.toString(MOST_STRAGGLERS));
    }

    /** Whether failed outcomes of tasks are there: their index is small. One without its task can't become a dead letter. */
    String hasFailed(String range) {
        return database.sql("""
            select exists (
                select from ${schema}.task_outcome_${range} o
                where o.status = 'failed' and exists (select from ${schema}.task_${range} t where t.id = o.id))
            """).replace("${range}", range);
    }

    /** Parameters: end of the ids, most rows. Answers how many became dead letters; a transaction of its own each time. */
    String moveDeadLetters() {
        return database.sql("select ${schema}.move_dead_letters(?, ?)");
    }

    /**
     * What else keeps the range: no place at all, failed, ended later than now less the retention. Parameters: least id,
     * end; twice; micros. Reads the tables of the range once.
     */
    String unsettled(String range) {
        return database.sql("""
            with live as materialized (
                select id from ${schema}.task_ready where id >= ? and id < ?
                union all
                select id from ${schema}.task_running where id >= ? and id < ?
            )
            (select t.id, 'nowhere' as place
             from ${schema}.task_${range} t
             where not exists (select from ${schema}.task_outcome_${range} o where o.id = t.id)
               and not exists (select from live l where l.id = t.id)
             order by t.id limit ${most})
            union all
            (select o.id, 'failed' from ${schema}.task_outcome_${range} o
             where o.status = 'failed' and exists (select from ${schema}.task_${range} t where t.id = o.id)
             order by o.id limit ${most})
            union all
            (select o.id, 'ended_lately'
             from ${schema}.task_outcome_${range} o
             where o.finished_at > clock_timestamp() - ? * interval '1 microsecond'
             order by o.id limit ${most})
            """).replace("${range}", range).replace("${most}", Integer.toString(MOST_STRAGGLERS));
    }

    /**
     * Rows: the transactions that have written to the entries, or are about to, prepared ones included. After a range was
     * attached again: claims among them may not see its tasks yet, and be dropping their entries.
     */
    String usersOfEntries() {
        return database.sql("""
            select l.virtualtransaction as transaction
            from pg_catalog.pg_locks l
            where l.locktype = 'relation' and l.mode = 'RowExclusiveLock'
              and l.database = (select d.oid from pg_catalog.pg_database d where d.datname = current_database())
              and l.relation = '${schemaText}.task_ready'::regclass
              and l.pid is distinct from pg_backend_pid()
            """);
    }

    /** Parameter: name. Whoever puts tasks back holds this, so that no task is put back twice. */
    String lockReturning() {
        return database.sql(
                "select name from ${schema}.partition_retired where name = ? and stage = 'returning' for update");
    }

    /**
     * Lets tasks that are in no place wait again, as they were enqueued. One statement, so that no task on its way from one
     * place to the next is taken for lost. Parameters: least id, end; twice; most tasks.
     */
    String putBack(String range) {
        return database.sql("""
            with live as materialized (
                select id from ${schema}.task_ready where id >= ? and id < ?
                union all
                select id from ${schema}.task_running where id >= ? and id < ?
            )
            insert into ${schema}.task_ready (due_at, id, rank, queue, type)
            select t.due_at, t.id, 10 - t.priority, t.queue, t.type
            from ${schema}.task_${range} t
            where not exists (select from ${schema}.task_outcome_${range} o where o.id = t.id)
              and not exists (select from live l where l.id = t.id)
              and not exists (select from ${schema}.dead_letter d where d.id = t.id)
            order by t.id
            limit ?
            on conflict do nothing
            """).replace("${range}", range);
    }

    /** Takes the range off the totals: what was added when its tasks ended. */
    String takeOffTotals(String range) {
        return database.sql(RangeTotals.takenOff()).replace("${range}", range);
    }

    /** Takes that back: the range is to be used again, and will be counted anew when it goes. */
    String putOnTotals(String range) {
        return database.sql("""
            with undone as (
                update ${schema}.partition_retired
                set tasks = null
                where name = '${range}' and stage = 'returning' and tasks is not null
                returning name
            )
            """ + RangeTotals.addedIf("exists (select from undone)")).replace("${range}", range);
    }

    /** Parameter: name. */
    String counted(String range) {
        return database.sql("""
            update ${schema}.partition_retired
            set stage = 'counted', tasks = coalesce(tasks, (select count(*) from ${schema}.task_${range})), position = null,
                changed_at = clock_timestamp()
            where name = ? and stage = 'chosen'
            """).replace("${range}", range);
    }

    /**
     * Locks the dedup keys of the next tasks in key order, as enqueues take them, so that whoever takes one over right now
     * is waited for. Parameters: last id, most tasks.
     */
    String lockKeys(String range) {
        return database.sql("""
            select k.key
            from (select id, dedup_key from ${schema}.task_${range} where id > ? order by id limit ?) b
            join ${schema}.task_key k on k.key = b.dedup_key and k.id = b.id
            order by k.key
            for update of k
            """).replace("${range}", range);
    }

    /**
     * Releases them if they still are these tasks': a dead letter or a new owner keeps its key. A statement of its own, for
     * a new snapshot. Parameters: last id, most tasks. Answers the last id looked at; null: there are no more.
     */
    String releaseKeys(String range) {
        return database.sql("""
            with batch as materialized (
                select id, dedup_key from ${schema}.task_${range} where id > ? order by id limit ?
            ), gone as (
                delete from ${schema}.task_key k using batch b where k.key = b.dedup_key and k.id = b.id
            )
            select max(id) from batch
            """).replace("${range}", range);
    }

    /** Parameters: position, name. */
    String keysReleasedTo() {
        return database.sql("""
            update ${schema}.partition_retired set position = ?, changed_at = clock_timestamp()
            where name = ? and stage = 'counted'
            """);
    }

    /** Only a table of its own; the caller has looked, in this transaction, after locking it. */
    String drop(String tableName) {
        return database.sql("drop table ${schema}." + tableName);
    }

    /** Before the last look at what is dropped. */
    String lockForDrop(String tableName) {
        return database.sql("lock table ${schema}." + tableName + " in access exclusive mode");
    }

    // @formatter:on
}
