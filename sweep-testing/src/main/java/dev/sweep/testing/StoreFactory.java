package dev.sweep.testing;

import dev.sweep.spi.TaskStore;
import javax.sql.DataSource;

/**
 * API: makes the store that tests run on, such as
 * {@code (source, schema) -> JooqTaskStore.builder(source).schema(schema).build()}.
 */
@FunctionalInterface
public interface StoreFactory {

    /** A new store on this schema, which may not exist yet; the extension migrates and closes it. */
    TaskStore create(DataSource source, String schema);
}
