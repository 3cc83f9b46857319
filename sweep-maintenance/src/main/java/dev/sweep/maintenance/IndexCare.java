package dev.sweep.maintenance;

import dev.sweep.StoreException;
import dev.sweep.TransactionConflictException;
import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.util.List;
import org.jooq.Record;

/**
 * Rebuilds the indexes of hot tables that have grown far beyond what their entries need, one at a time and without locking
 * anyone out, and removes what an interrupted rebuild left.
 */
final class IndexCare implements Chore {

    private static final Duration OLD_TRANSACTION = Duration.ofMinutes(1);
    /** A rebuild waits for transactions that are under way when it begins; nobody waits for it meanwhile. */
    private static final Limits OF_REBUILD = new Limits(Duration.ofMinutes(2), Duration.ofHours(1));

    private static final Limits OF_DROP = new Limits(Duration.ofSeconds(2), Duration.ofMinutes(2));

    private final long smallestBytes;
    private final double largestRatio;

    IndexCare() {
        this(8 << 20, 4);
    }

    /**
     * @param smallestBytes smaller indexes are left alone
     * @param largestRatio how often larger than a fresh one an index may be
     */
    IndexCare(long smallestBytes, double largestRatio) {
        this.smallestBytes = smallestBytes;
        this.largestRatio = largestRatio;
    }

    @Override
    public String name() {
        return "indexes";
    }

    @Override
    public Duration interval() {
        return Duration.ofHours(1);
    }

    @Override
    public ChoreResult run(ChoreContext context) {
        StoreDatabase database = context.database();
        MaintenanceStatements statements = new MaintenanceStatements(database);
        int dropped = dropLeftovers(database, statements);
        RebuiltSizes rebuilt = context.position().map(RebuiltSizes::parse).orElse(RebuiltSizes.NONE);
        List<String> bloated = bloated(database, statements, rebuilt);
        if (bloated.isEmpty()) {
            return ChoreResult.done(dropped).at(rebuilt.toString());
        }
        if (hasOldTransaction(database, statements)) {
            return ChoreResult.done(dropped)
                    .at(rebuilt.toString())
                    .noting("rebuilding " + bloated.get(0) + " waits for a transaction that is older than "
                            + OLD_TRANSACTION.toSeconds() + " s");
        }
        String index = bloated.get(0);
        rebuild(index, database, statements);
        RebuiltSizes sizes = rebuilt.with(index, bytes(index, database, statements));
        ChoreResult result = bloated.size() > 1 ? ChoreResult.more(dropped + 1L) : ChoreResult.done(dropped + 1L);
        return result.at(sizes.toString()).noting("rebuilt " + index);
    }

    private static int dropLeftovers(StoreDatabase database, MaintenanceStatements statements) {
        int dropped = 0;
        for (String leftover : names(database, statements.leftovers())) {
            if (drop(leftover, database, statements)) {
                dropped++;
            }
        }
        return dropped;
    }

    /** Not while a rebuild, or anything else, works on the table. */
    private static boolean drop(String leftover, StoreDatabase database, MaintenanceStatements statements) {
        try {
            database.alone(OF_DROP, sql -> sql.execute(statements.dropLeftover(leftover)));
            return true;
        } catch (TransactionConflictException inUse) {
            return false;
        }
    }

    private List<String> bloated(StoreDatabase database, MaintenanceStatements statements, RebuiltSizes rebuilt) {
        return database.inTransaction(Limits.OF_ROWS, sql -> sql.fetch(statements.indexSizes())).stream()
                .filter(this::isBloated)
                .filter(row -> rebuilt.hasGrown(row.get("name", String.class), row.get("bytes", Long.class)))
                .map(row -> row.get("name", String.class))
                .toList();
    }

    private boolean isBloated(Record row) {
        long bytes = row.get("bytes", Long.class);
        return bytes >= smallestBytes && bytes >= largestRatio * row.get("fresh_bytes", Long.class);
    }

    private static long bytes(String index, StoreDatabase database, MaintenanceStatements statements) {
        return database.inTransaction(Limits.OF_ROWS, sql -> sql.fetch(statements.indexSizes())).stream()
                .filter(row -> index.equals(row.get("name", String.class)))
                .mapToLong(row -> row.get("bytes", Long.class))
                .findFirst()
                .orElse(0);
    }

    private static boolean hasOldTransaction(StoreDatabase database, MaintenanceStatements statements) {
        return database.inTransaction(
                Limits.OF_ROWS,
                sql -> sql.fetchSingle(statements.oldTransactions(), OLD_TRANSACTION.toNanos() / 1_000)
                                .get(0, Long.class)
                        > 0);
    }

    private static void rebuild(String index, StoreDatabase database, MaintenanceStatements statements) {
        boolean isDone = false;
        try {
            database.alone(OF_REBUILD, sql -> sql.execute(statements.rebuild(index)));
            isDone = true;
        } finally {
            if (!isDone) {
                dropLeftoversQuietly(database, statements);
            }
        }
    }

    /** The next run tries again. */
    @SuppressWarnings("EmptyCatch")
    private static void dropLeftoversQuietly(StoreDatabase database, MaintenanceStatements statements) {
        try {
            dropLeftovers(database, statements);
        } catch (StoreException stillInTheWay) {
            // What made the rebuild fail is told instead.
        }
    }

    private static List<String> names(StoreDatabase database, String statement) {
        return database.inTransaction(Limits.OF_ROWS, sql -> sql.fetch(statement))
                .map(row -> row.get("name", String.class));
    }
}
