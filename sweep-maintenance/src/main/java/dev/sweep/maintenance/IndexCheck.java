package dev.sweep.maintenance;

import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Indexes that are invalid, and partitions without the key that keeps ids and outcomes unique. */
final class IndexCheck implements Check {

    private final DoctorStatements statements;

    IndexCheck(DoctorStatements statements) {
        this.statements = statements;
    }

    @Override
    public String name() {
        return "indexes";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        for (Record index : sql.fetch(statements.invalidIndexes())) {
            String name = index.get("name", String.class);
            found.warning(
                    "index " + name + " of " + index.get("relation", String.class) + " is invalid: it costs writes and"
                            + " helps no read",
                    name.matches(".*_cc(new|old)\\d*")
                            ? "an interrupted rebuild left it over; drop it with DROP INDEX CONCURRENTLY, or leave it to"
                                    + " index care"
                            : "rebuild it with REINDEX INDEX CONCURRENTLY",
                    Map.of("bytes", index.get("bytes", Long.class)));
        }
        for (Record leaf : sql.fetch(statements.leavesWithoutKey())) {
            found.fault(
                    "partition " + leaf.get("leaf", String.class) + " has no valid primary key: look-ups scan it, and"
                            + " nothing keeps a second outcome out",
                    "add it: ALTER TABLE ... ADD PRIMARY KEY (" + leaf.get("key", String.class) + ")",
                    Map.of());
        }
        found.otherwise("all indexes are valid, and every partition has its key", Map.of());
    }
}
