package dev.sweep.it;

import dev.sweep.Enqueued;
import dev.sweep.TaskId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import javax.sql.DataSource;

/** Judges by the tables alone whether every promise was kept; each query finds the rows that break one. */
final class TortureOracle {

    /** True of every snapshot at any time, besides what {@link Promises} says. */
    private static final Map<String, String> ALWAYS = Map.of(
            "one task per key that is kept",
            "select dedup_key from sweep.task where dedup_key like 'kept %' group by 1 having count(*) > 1",
            "one live task per key that is free when its task has ended",
            """
            select dedup_key from sweep.task t where dedup_key like 'live %'
            and not exists (select from sweep.task_outcome o where o.id = t.id) group by 1 having count(*) > 1
            """,
            "an effect for each transactional task that succeeded, and for no other",
            """
            select t.id from sweep.task t left join sweep.task_outcome o on o.id = t.id
            where t.type = 'effect' and (select count(*) from effect e where e.task_id = t.id)
                <> case when o.status = 'succeeded' then 1 else 0 end
            """);

    /** True once all is calm. */
    private static final Map<String, String> AT_REST = Map.of(
            "nothing waits or runs",
            "select id from sweep.task_ready union all select id from sweep.task_running",
            "no deadlock",
            "select deadlocks from pg_stat_database where datname = current_database() and deadlocks > 0",
            "no session is left in a transaction",
            """
            select pid, query from pg_stat_activity
            where datname = current_database() and pid <> pg_backend_pid() and state like 'idle in transaction%'
            """);

    private TortureOracle() {}

    /** What is wrong, one line each; empty if all is well. */
    static List<String> judge(DataSource source, Set<TaskId> committed, Set<TaskId> rolledBack) throws SQLException {
        List<String> faults = new ArrayList<>();
        try (Connection connection = source.getConnection()) {
            look(connection, Promises.ALWAYS, faults);
            look(connection, ALWAYS, faults);
            look(connection, AT_REST, faults);
            Set<String> stored = Set.copyOf(rows(connection, "select id from sweep.task"));
            committed.stream()
                    .filter(id -> !stored.contains(id.toString()))
                    .forEach(id -> faults.add("committed, but lost: " + id));
            rolledBack.stream()
                    .filter(id -> stored.contains(id.toString()))
                    .forEach(id -> faults.add("rolled back, but there: " + id));
        }
        return faults;
    }

    static void lookMeanwhile(DataSource source, Collection<String> faults) throws SQLException {
        try (Connection connection = source.getConnection()) {
            look(connection, Promises.ALWAYS, faults);
            look(connection, ALWAYS, faults);
        }
    }

    /** Whoever is told of a duplicate finds its task. */
    static void checkOwners(Connection tx, List<Enqueued> answers, Collection<String> faults) throws SQLException {
        try (PreparedStatement statement = tx.prepareStatement("select from sweep.task where id = ?")) {
            for (Enqueued answer : answers) {
                statement.setLong(1, answer.id().value());
                try (ResultSet row = statement.executeQuery()) {
                    if (!row.next()) {
                        faults.add("answered with a task that is not there: " + answer);
                    }
                }
            }
        }
    }

    static boolean isDone(DataSource source) throws SQLException {
        try (Connection connection = source.getConnection()) {
            return rows(connection, AT_REST.get("nothing waits or runs")).isEmpty();
        }
    }

    static Optional<TaskId> random(DataSource source, String table) {
        try (Connection connection = source.getConnection()) {
            return rows(connection, "select id from sweep." + table + " order by random() limit 1").stream()
                    .findFirst()
                    .map(id -> TaskId.of(Long.parseLong(id)));
        } catch (SQLException none) {
            return Optional.empty();
        }
    }

    /** Numbers that show that much did happen. */
    static Map<String, String> tally(DataSource source) throws SQLException {
        Map<String, String> tally = new TreeMap<>();
        try (Connection connection = source.getConnection()) {
            for (String row : rows(connection, """
                    select status || ' ' || count(*) from sweep.task_outcome group by status
                    union all select 'failures ' || count(*) from sweep.task_failure where error_class <> 'worker lost'
                    union all select 'losses ' || count(*) from sweep.task_failure where error_class = 'worker lost'
                    union all select 'claims ' || last_value from sweep.task_lease_id_seq
                    """)) {
                tally.put(row.substring(0, row.indexOf(' ')), row.substring(row.indexOf(' ') + 1));
            }
        }
        return tally;
    }

    private static void look(Connection connection, Map<String, String> promises, Collection<String> faults)
            throws SQLException {
        for (Map.Entry<String, String> promise : promises.entrySet()) {
            List<String> broken = rows(connection, promise.getValue());
            if (!broken.isEmpty()) {
                faults.add(promise.getKey() + ": not so for " + broken);
            }
        }
    }

    private static List<String> rows(Connection connection, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql + " limit 100000")) {
            while (row.next()) {
                rows.add(row.getString(1));
            }
        }
        return rows;
    }
}
