package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What one process was told of the retention; null: nothing, so that what holds already goes on to hold. */
record ChosenRetention(
        @Nullable Duration succeeded,
        @Nullable Duration cancelled,
        @Nullable Duration deadLetters,
        Retention.@Nullable Fate oldPartitions) {

    boolean isEmpty() {
        return succeeded == null && cancelled == null && deadLetters == null && oldPartitions == null;
    }

    /** Makes it hold for all from now on. One transaction. */
    void store(StoreDatabase database) {
        String fate = oldPartitions == null ? null : oldPartitions.name().toLowerCase(Locale.ROOT);
        database.inTransaction(
                Limits.OF_ROWS,
                sql -> sql.execute(
                        new MaintenanceStatements(database).choosePolicy(),
                        micros(succeeded),
                        micros(cancelled),
                        micros(deadLetters),
                        fate));
    }

    private static @Nullable Long micros(@Nullable Duration duration) {
        return duration == null ? null : duration.toSeconds() * 1_000_000 + duration.toNanosPart() / 1_000;
    }
}
