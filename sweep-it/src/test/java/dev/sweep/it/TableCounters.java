package dev.sweep.it;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
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
 * its own, which tell what they counted when they end.
 */
final class TableCounters {

    /**
     * Between two looks.
     *
     * @param buffers read by tables and indexes, from memory or not
     * @param tables that were scanned or written
     */
    record Touched(long buffers, Set<String> tables) {

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

    private record Count(long uses, long buffers) {}

    private static final String COUNTS = """
            select s.relname, coalesce(s.seq_scan, 0) + coalesce(s.idx_scan, 0) + s.n_tup_ins + s.n_tup_del + s.n_tup_upd,
                   coalesce(i.heap_blks_read, 0) + coalesce(i.heap_blks_hit, 0) + coalesce(i.idx_blks_read, 0)
                       + coalesce(i.idx_blks_hit, 0) + coalesce(i.toast_blks_read, 0) + coalesce(i.toast_blks_hit, 0)
                       + coalesce(i.tidx_blks_read, 0) + coalesce(i.tidx_blks_hit, 0)
            from pg_stat_user_tables s
            left join pg_statio_user_tables i using (relid)
            where s.schemaname = '%s'
            """;

    private final Database db;

    TableCounters(Database db) {
        this.db = db;
    }

    Touched during(Consumer<JooqTaskStore> work) {
        settle();
        Map<String, Count> before = counts();
        String name = db.schema + "-counted";
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(db.server.jdbcUrl());
        config.setUsername(db.server.user());
        config.setPassword(db.server.password());
        config.setMaximumPoolSize(5);
        config.setMinimumIdle(0);
        config.addDataSourceProperty("ApplicationName", name);
        try (HikariDataSource source = new HikariDataSource(config);
                JooqTaskStore store =
                        JooqTaskStore.builder(source).schema(db.schema).build()) {
            work.accept(store);
        }
        db.awaitCount(0, "pg_stat_activity where application_name = '" + name + "'");
        return difference(before, counts());
    }

    /** Idle sessions of the test still hold back what they counted; they tell it when they end. */
    private void settle() {
        db.source.getHikariPoolMXBean().softEvictConnections();
        db.awaitCount(0, "pg_stat_activity where application_name = '" + db.schema + "' and pid <> pg_backend_pid()");
    }

    private static Touched difference(Map<String, Count> before, Map<String, Count> after) {
        Set<String> tables = new TreeSet<>();
        long buffers = 0;
        for (Map.Entry<String, Count> table : after.entrySet()) {
            Count earlier = before.getOrDefault(table.getKey(), new Count(0, 0));
            buffers += table.getValue().buffers() - earlier.buffers();
            if (table.getValue().uses() > earlier.uses()) {
                tables.add(table.getKey());
            }
        }
        return new Touched(buffers, tables);
    }

    private Map<String, Count> counts() {
        Map<String, Count> counts = new TreeMap<>();
        try (Connection connection = db.source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(COUNTS.formatted(db.schema))) {
            while (rows.next()) {
                counts.put(rows.getString(1), new Count(rows.getLong(2), rows.getLong(3)));
            }
            return counts;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
