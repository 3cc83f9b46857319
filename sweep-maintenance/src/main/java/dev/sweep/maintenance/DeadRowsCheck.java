package dev.sweep.maintenance;

import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Whether autovacuum keeps up with the hot tables, and whether they are much larger than what is in them. */
final class DeadRowsCheck implements Check {

    private static final long MANY = 100_000;
    private static final long VERY_MANY = 5_000_000;
    private static final long LARGE_BYTES = 128L << 20;
    /** More than rows and index entries of the hot tables take, page by page half filled. */
    private static final long ROOMY_BYTES_PER_ROW = 1_000;

    private final DoctorStatements statements;

    DeadRowsCheck(DoctorStatements statements) {
        this.statements = statements;
    }

    @Override
    public String name() {
        return "dead-rows";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        long all = 0;
        for (Record table : sql.fetch(statements.deadRows())) {
            all += table.get("dead", Long.class);
            examine(table, found);
        }
        found.otherwise("autovacuum keeps up", Map.of("deadRows", all));
    }

    private static void examine(Record table, Findings found) {
        String name = table.get("name", String.class);
        long live = table.get("live", Long.class);
        long dead = table.get("dead", Long.class);
        long bytes = table.get("bytes", Long.class);
        Map<String, Number> numbers = Map.of("liveRows", live, "deadRows", dead, "bytes", bytes);
        if (dead > VERY_MANY && dead > live) {
            found.fault(name + " has " + dead + " dead rows beside " + live + " live ones", VACUUM, numbers);
        } else if (dead > MANY && dead > live / 5) {
            found.warning(name + " has " + dead + " dead rows beside " + live + " live ones", VACUUM, numbers);
        } else if (bytes > LARGE_BYTES && bytes / ROOMY_BYTES_PER_ROW > live + dead) {
            found.warning(
                    name + " takes " + (bytes >> 20) + " MiB for " + (live + dead) + " rows: it is bloated",
                    "index care rebuilds its indexes; the table itself shrinks by VACUUM (its end), VACUUM FULL (stops all"
                            + " work) or pg_repack",
                    numbers);
        }
    }

    private static final String VACUUM =
            "see the check horizon first: what is held can't be removed; then whether autovacuum runs and has workers free";
}
