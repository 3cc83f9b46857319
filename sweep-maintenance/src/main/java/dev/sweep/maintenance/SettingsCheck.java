package dev.sweep.maintenance;

import java.util.HashMap;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Settings of the server and of our tables that hurt, and how much room they leave. */
final class SettingsCheck implements Check {

    private static final long FEW_CONNECTIONS = 20;
    private static final long SHORT_IDLE_MILLIS = 30_000;

    private final DoctorStatements statements;

    SettingsCheck(DoctorStatements statements) {
        this.statements = statements;
    }

    @Override
    public String name() {
        return "settings";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        Map<String, String> settings = new HashMap<>();
        sql.fetch(statements.settings())
                .forEach(row -> settings.put(row.get("name", String.class), row.get("setting", String.class)));
        vacuum(settings, found);
        durability(settings, found);
        sessions(settings, found);
        for (Record table : sql.fetch(statements.tablesWithoutAutovacuum())) {
            found.fault(
                    "autovacuum is off for " + table.get("name", String.class) + ": its dead rows stay",
                    "alter table ... reset (autovacuum_enabled)",
                    Map.of());
        }
        room(sql.fetchSingle(statements.room()), found);
        found.otherwise("no setting hurts", Map.of());
    }

    private static void vacuum(Map<String, String> settings, Findings found) {
        for (String setting : new String[] {"autovacuum", "track_counts"}) {
            if (isOff(settings, setting)) {
                found.fault(
                        setting + " is off: dead rows stay for ever, and claims become slower all the time",
                        "alter system set " + setting + " = on; select pg_reload_conf()",
                        Map.of());
            }
        }
        if (isOff(settings, "track_activities")) {
            found.warning(
                    "track_activities is off: who holds dead rows back can't be seen",
                    "alter system set track_activities = on; select pg_reload_conf()",
                    Map.of());
        }
    }

    private static void durability(Map<String, String> settings, Findings found) {
        for (String setting : new String[] {"fsync", "full_page_writes"}) {
            if (isOff(settings, setting)) {
                found.fault(
                        setting + " is off: a crash of the server can lose or damage everything",
                        "alter system set " + setting + " = on; select pg_reload_conf()",
                        Map.of());
            }
        }
        if (isOff(settings, "synchronous_commit")) {
            found.warning(
                    "synchronous_commit is off: a crash of the server forgets the last tasks and outcomes, and runs"
                            + " completed tasks again",
                    "set synchronous_commit = on for the roles that enqueue and work",
                    Map.of());
        }
    }

    private static void sessions(Map<String, String> settings, Findings found) {
        long idle = number(settings, "idle_in_transaction_session_timeout");
        if (idle > 0 && idle < SHORT_IDLE_MILLIS) {
            found.warning(
                    "idle_in_transaction_session_timeout is " + idle
                            + " ms: the server ends transactional handlers that"
                            + " work without a statement for as long",
                    "set it to some minutes (0, the default, lets a forgotten transaction hold dead rows for ever)",
                    Map.of("millis", idle));
        }
    }

    private static void room(Record room, Findings found) {
        long connections = room.get("max_connections", Long.class);
        long used = room.get("used", Long.class);
        if (connections < FEW_CONNECTIONS) {
            found.warning(
                    "max_connections is " + connections
                            + ": a worker alone needs five and one per transactional handler",
                    "raise it to " + FEW_CONNECTIONS + " or more (needs a restart)",
                    Map.of("connections", connections));
        } else if (used * 10 > connections * 9) {
            found.warning(
                    used + " of " + connections + " connections are in use",
                    "raise max_connections, or put a pooler before what is not a worker",
                    Map.of("connections", connections, "used", used));
        }
        long locks = room.get("locks", Long.class);
        long relations = room.get("relations", Long.class);
        if (relations * 10 > locks) {
            found.warning(
                    "the lock table has room for " + locks
                            + " locks, and one statement over all partitions takes up to " + relations,
                    "raise max_locks_per_transaction (needs a restart), or keep fewer partitions",
                    Map.of("locks", locks, "relations", relations));
        }
    }

    private static boolean isOff(Map<String, String> settings, String name) {
        return "off".equals(settings.get(name));
    }

    private static long number(Map<String, String> settings, String name) {
        return Long.parseLong(settings.getOrDefault(name, "0"));
    }
}
