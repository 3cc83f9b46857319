package dev.sweep.partitioning;

import java.time.Instant;
import java.time.OffsetDateTime;
import org.jooq.DSLContext;

/** What time it is, asked within a transaction. */
@FunctionalInterface
interface DatabaseClock {

    /** The database's own, which decides in which partition a new task lies. */
    DatabaseClock SERVER = sql -> sql.fetchSingle("select clock_timestamp()")
            .get(0, OffsetDateTime.class)
            .toInstant();

    Instant now(DSLContext sql);
}
