package dev.sweep.partitioning;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Lets one process at a time take a step. It is held by an idle transaction beside the step's own, for DETACH CONCURRENTLY
 * can't be part of one; it ends with the process. A hint that spares noise, with no duty for correctness: each step decides
 * from what the catalog and {@code partition_retired} say.
 */
final class RetirementGuard {

    private final StoreDatabase database;
    private final RetirementStatements statements;

    RetirementGuard(StoreDatabase database, RetirementStatements statements) {
        this.database = database;
        this.statements = statements;
    }

    /** What the step answers; empty if another process is at one. */
    <T> Optional<T> whileAlone(Supplier<T> step) {
        return database.inTransaction(Limits.OF_ROWS, sql -> {
            if (!sql.fetchSingle(statements.tryGuard()).get(0, Boolean.class)) {
                return Optional.empty();
            }
            sql.execute(statements.boundGuard());
            return Optional.of(step.get());
        });
    }
}
