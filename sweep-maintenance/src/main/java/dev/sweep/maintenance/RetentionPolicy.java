package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.util.Locale;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * The retention of an installation. What one process sets is kept in the database and holds for all, since any of them may come
 * to lead: one that was started with the defaults must not delete what another was told to keep.
 */
@FunctionalInterface
interface RetentionPolicy {

    /** What holds now; one read. */
    Retention of(StoreDatabase database);

    /** As it stands in the table {@code maintenance_policy}, with defaults for what nobody has set. */
    RetentionPolicy STORED =
            database -> database.inTransaction(Limits.OF_ROWS, sql -> stored(sql, new MaintenanceStatements(database)));

    /** The same, within a transaction. */
    static Retention stored(DSLContext sql, MaintenanceStatements statements) {
        return sql.fetchOptional(statements.policy())
                .map(row -> new Retention(
                        duration(row, "succeeded", Retention.DEFAULT.succeeded()),
                        duration(row, "cancelled", Retention.DEFAULT.cancelled()),
                        duration(row, "dead_letters", Retention.DEFAULT.deadLetters()),
                        fate(row.get("old_partitions", String.class))))
                .orElse(Retention.DEFAULT);
    }

    private static Duration duration(Record row, String column, Duration otherwise) {
        Long micros = row.get(column, Long.class);
        return micros == null ? otherwise : Duration.ofNanos(Math.multiplyExact(micros, 1_000L));
    }

    private static Retention.Fate fate(@Nullable String word) {
        return word == null ? Retention.DEFAULT.oldPartitions() : Retention.Fate.valueOf(word.toUpperCase(Locale.ROOT));
    }
}
