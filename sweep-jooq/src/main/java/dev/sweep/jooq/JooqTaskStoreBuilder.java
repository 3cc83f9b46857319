package dev.sweep.jooq;

import javax.sql.DataSource;

/** Collects the settings of a {@link JooqTaskStore}. Not thread-safe. */
public final class JooqTaskStoreBuilder {

    private final DataSource source;
    private SchemaName schema = new SchemaName("sweep");

    JooqTaskStoreBuilder(DataSource source) {
        this.source = source;
    }

    /** The schema of this installation: any legal identifier, written without quotes; the default is {@code sweep}. */
    public JooqTaskStoreBuilder schema(String schema) {
        this.schema = new SchemaName(schema);
        return this;
    }

    public JooqTaskStore build() {
        return new JooqTaskStore(source, schema);
    }
}
