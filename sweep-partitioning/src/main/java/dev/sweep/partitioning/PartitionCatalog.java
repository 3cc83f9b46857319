package dev.sweep.partitioning;

import dev.sweep.SchemaException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** What partitions there are, read from PostgreSQL's catalog. Every method works within the caller's transaction. */
final class PartitionCatalog {

    private final PartitionStatements statements;

    private final DatabaseClock clock;

    PartitionCatalog(PartitionStatements statements, DatabaseClock clock) {
        this.statements = statements;
        this.clock = clock;
    }

    PartitionLayout layout(DSLContext sql) {
        List<Leaf> leaves = leaves(sql);
        Map<String, Boolean> bounds = sql.fetch(statements.firstBounds())
                .intoMap(row -> row.get(0, String.class), row -> row.get(1, Boolean.class));
        Set<String> loose = looseTables(sql);
        Set<String> kept = loose.isEmpty()
                ? Set.of()
                : sql.fetch(statements.keptRanges()).intoSet(row -> row.get("name", String.class));
        return new PartitionLayout(clock.now(sql), plan(sql), leaves, bounds, areEmpty(sql, leaves), loose, kept);
    }

    /** All attached partitions, pending ones included, by table and time. */
    List<Leaf> leaves(DSLContext sql) {
        sql.execute(statements.plainDates());
        return sql.fetch(statements.leaves()).stream()
                .map(PartitionCatalog::leafOf)
                .sorted(Comparator.comparing(Leaf::table).thenComparing(Leaf::from))
                .toList();
    }

    /**
     * Ranges that are in use by one table and loose in another, each once: someone detached a table by hand, or ended by
     * hand a detach that was interrupted. What is live in it is hidden.
     */
    List<PartitionRange> halves(DSLContext sql) {
        Set<String> loose = looseTables(sql);
        return leaves(sql).stream()
                .filter(leaf ->
                        PartitionTable.ALL.stream().anyMatch(table -> loose.contains(table.leaf(leaf.rangeName()))))
                .map(Leaf::range)
                .collect(Collectors.toMap(PartitionRange::name, Function.identity(), (first, other) -> first))
                .values()
                .stream()
                .sorted(Comparator.comparing(PartitionRange::from))
                .toList();
    }

    /** Tables of the schema that may be called like partitions, and are none. */
    Set<String> looseTables(DSLContext sql) {
        return sql.fetch(statements.looseTables()).intoSet(row -> row.get("name", String.class));
    }

    Optional<PartitionLayout.Plan> plan(DSLContext sql) {
        return sql.fetchOptional(statements.plan())
                .map(row -> new PartitionLayout.Plan(
                        row.get("period", String.class),
                        instant(row.get("first_bound", OffsetDateTime.class), Instant.EPOCH),
                        row.get("is_converted", Boolean.class)));
    }

    private boolean areEmpty(DSLContext sql, List<Leaf> leaves) {
        return leaves.stream()
                .filter(Leaf::isOpen)
                .noneMatch(leaf -> sql.fetchSingle(statements.hasRows(leaf)).get(0, Boolean.class));
    }

    private static Leaf leafOf(Record row) {
        String parent = row.get("parent", String.class);
        String name = row.get("leaf", String.class);
        if (row.get("is_default", Boolean.class)) {
            throw new SchemaException(
                    "table '" + name + "' is a default partition of '" + parent + "', which Sweep never"
                            + " makes: it would keep later partitions from being created; move its rows, then detach it");
        }
        if (!name.startsWith(parent + "_")) {
            throw new SchemaException("table '" + name + "' is a partition of '" + parent
                    + "' but was not made by Sweep," + " which calls them " + parent + "_...; rename it");
        }
        PartitionTable table = Arrays.stream(PartitionTable.values())
                .filter(candidate -> candidate.parent().equals(parent))
                .findFirst()
                .orElseThrow();
        return new Leaf(
                table,
                name.substring(parent.length() + 1),
                instant(row.get("lower_at", OffsetDateTime.class), Instant.MIN),
                instant(row.get("upper_at", OffsetDateTime.class), Instant.MAX),
                row.get("is_pending", Boolean.class));
    }

    private static Instant instant(@Nullable OffsetDateTime time, Instant otherwise) {
        return time == null ? otherwise : time.toInstant();
    }
}
