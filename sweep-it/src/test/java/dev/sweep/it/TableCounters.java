package dev.sweep.it;

import dev.sweep.jooq.JooqTaskStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What a piece of work reads and writes, as PostgreSQL counts it for each table and its indexes: by a store with sessions of
 * its own, which tell what they counted when they end, or when they are asked to.
 */
final class TableCounters {

    /**
     * Between two looks.
     *
     * @param rows that scans read: index entries, and rows of tables read from end to end; dead ones included
     * @param buffers read by tables and indexes, from memory or not
     * @param tables that were scanned or written
     * @param readThrough tables that were read from end to end; a partition counts as the table that it is one of
     * @param indexes that were searched; those of a partition count as those of its table
     */
    record Touched(long rows, long buffers, Set<String> tables, Set<String> readThrough, Set<String> indexes) {

        /** Those partitions of the three tables. */
        Set<String> leaves() {
            Set<String> leaves = new TreeSet<>();
            for (String table : tables) {
                if (table.matches("task_((outcome|failure)_)?(20\\d{6}|all)")) {
                    leaves.add(table);
                }
            }
            return leaves;
        }
    }

    /** @param name of the table that a partition is one of, or of its index */
    private record Count(String name, long uses, long scans, long rows, long buffers) {
        private static final Count NONE = new Count("", 0, 0, 0, 0);
    }

    private static final String TABLES = """
            select s.relname, coalesce(p.relname, s.relname),
                   coalesce(s.seq_scan, 0) + coalesce(s.idx_scan, 0) + s.n_tup_ins + s.n_tup_del + s.n_tup_upd,
                   coalesce(s.seq_scan, 0), coalesce(s.seq_tup_read, 0),
                   coalesce(i.heap_blks_read, 0) + coalesce(i.heap_blks_hit, 0) + coalesce(i.idx_blks_read, 0)
                       + coalesce(i.idx_blks_hit, 0) + coalesce(i.toast_blks_read, 0) + coalesce(i.toast_blks_hit, 0)
                       + coalesce(i.tidx_blks_read, 0) + coalesce(i.tidx_blks_hit, 0)
            from pg_stat_user_tables s
            left join pg_statio_user_tables i using (relid)
            left join pg_inherits h on h.inhrelid = s.relid
            left join pg_class p on p.oid = h.inhparent
            where s.schemaname = '%s'
            """;

    private static final String INDEXES = """
            select s.indexrelname,
                   coalesce(pi.relname, case when x.indisprimary then coalesce(pt.relname, s.relname) || '_pkey' end,
                            s.indexrelname),
                   coalesce(s.idx_scan, 0), coalesce(s.idx_scan, 0), coalesce(s.idx_tup_read, 0), 0
            from pg_stat_user_indexes s
            join pg_index x using (indexrelid)
            left join pg_inherits hi on hi.inhrelid = s.indexrelid
            left join pg_class pi on pi.oid = hi.inhparent
            left join pg_inherits ht on ht.inhrelid = s.relid
            left join pg_class pt on pt.oid = ht.inhparent
            where s.schemaname = '%s'
            """;

    private final Database db;

    TableCounters(Database db) {
        this.db = db;
    }

    /** By a store that begins with this work. */
    Touched during(Consumer<JooqTaskStore> work) {
        return during(work, "");
    }

    /** @param settings of each of its sessions, as SQL */
    Touched during(Consumer<JooqTaskStore> work, String settings) {
        Look before = look();
        try (CountedStore counted = CountedStore.open(db, settings)) {
            work.accept(counted.store());
        }
        return look().since(before);
    }

    /** By one that has worked before, and goes on with the plans that it made then. */
    Touched during(CountedStore counted, Consumer<JooqTaskStore> work) {
        counted.tell();
        Look before = look();
        work.accept(counted.store());
        counted.tell();
        return look().since(before);
    }

    /** Idle sessions of the test still hold back what they counted; they tell it when they end. */
    private Look look() {
        db.source.getHikariPoolMXBean().softEvictConnections();
        db.awaitCount(0, "pg_stat_activity where application_name = '" + db.schema + "' and pid <> pg_backend_pid()");
        return new Look(counts(TABLES), counts(INDEXES));
    }

    private record Look(Map<String, Count> tables, Map<String, Count> indexes) {

        Touched since(Look before) {
            Set<String> touched = new TreeSet<>();
            Set<String> readThrough = new TreeSet<>();
            Set<String> searched = new TreeSet<>();
            long rows = 0;
            long buffers = 0;
            for (Map.Entry<String, Count> table : tables.entrySet()) {
                Count now = table.getValue();
                Count earlier = before.tables.getOrDefault(table.getKey(), Count.NONE);
                rows += now.rows - earlier.rows;
                buffers += now.buffers - earlier.buffers;
                if (now.uses > earlier.uses) {
                    touched.add(table.getKey());
                }
                if (now.scans > earlier.scans) {
                    readThrough.add(now.name);
                }
            }
            for (Map.Entry<String, Count> index : indexes.entrySet()) {
                Count now = index.getValue();
                Count earlier = before.indexes.getOrDefault(index.getKey(), Count.NONE);
                rows += now.rows - earlier.rows;
                if (now.scans > earlier.scans) {
                    searched.add(now.name);
                }
            }
            return new Touched(rows, buffers, touched, readThrough, searched);
        }
    }

    private Map<String, Count> counts(String question) {
        Map<String, Count> counts = new TreeMap<>();
        try (Connection connection = db.source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question.formatted(db.schema))) {
            while (rows.next()) {
                counts.put(
                        rows.getString(1),
                        new Count(
                                rows.getString(2), rows.getLong(3), rows.getLong(4), rows.getLong(5), rows.getLong(6)));
            }
            return counts;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
