package dev.sweep.partitioning;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** What partitions there are, read from PostgreSQL's catalog. */
final class PartitionCatalog {

    private final PartitionStatements statements;

    PartitionCatalog(PartitionStatements statements) {
        this.statements = statements;
    }

    /** All attached partitions, pending ones included, by table and time. Within a transaction. */
    List<Leaf> leaves(DSLContext sql) {
        sql.execute(statements.plainDates());
        return sql.fetch(statements.leaves()).stream()
                .map(PartitionCatalog::leafOf)
                .sorted(Comparator.comparing(Leaf::table).thenComparing(Leaf::from))
                .toList();
    }

    /** The database's clock. */
    Instant now(DSLContext sql) {
        return instant(sql.fetchSingle(statements.now()).get(0, OffsetDateTime.class), Instant.EPOCH);
    }

    private static Leaf leafOf(Record row) {
        String parent = row.get("parent", String.class);
        PartitionTable table = Arrays.stream(PartitionTable.values())
                .filter(candidate -> candidate.parent().equals(parent))
                .findFirst()
                .orElseThrow();
        return new Leaf(
                table,
                row.get("leaf", String.class).substring(parent.length() + 1),
                instant(row.get("lower_at", OffsetDateTime.class), Instant.MIN),
                instant(row.get("upper_at", OffsetDateTime.class), Instant.MAX),
                row.get("is_pending", Boolean.class));
    }

    private static Instant instant(@Nullable OffsetDateTime time, Instant otherwise) {
        return time == null ? otherwise : time.toInstant();
    }
}
