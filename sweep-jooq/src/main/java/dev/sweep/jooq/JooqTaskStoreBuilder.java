package dev.sweep.jooq;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Collects the settings of a {@link JooqTaskStore}. Not thread-safe. */
public final class JooqTaskStoreBuilder {

    private final DataSource source;
    private SchemaName schema = new SchemaName("sweep");
    private @Nullable DataSource listenerSource;
    private boolean notifications = true;

    JooqTaskStoreBuilder(DataSource source) {
        this.source = source;
    }

    /** The schema of this installation: any legal identifier, written without quotes; the default is {@code sweep}. */
    public JooqTaskStoreBuilder schema(String schema) {
        this.schema = new SchemaName(schema);
        return this;
    }

    /**
     * Where the one connection comes from on which a worker hears of new tasks (LISTEN); the default is the store's own
     * source. For stores behind a pooler in transaction mode, which loses what a session listens to: give direct
     * connections here. They have to be those of PostgreSQL's own driver, or unwrap to them. It stays the caller's to close.
     */
    public JooqTaskStoreBuilder listenerSource(DataSource listenerSource) {
        this.listenerSource = listenerSource;
        return this;
    }

    /**
     * Whether workers are told of new tasks by LISTEN and NOTIFY; the default is true. False saves a worker's connection,
     * and a small statement for each 10 ms in which tasks were enqueued; workers then find tasks by polling only.
     */
    public JooqTaskStoreBuilder notifications(boolean notifications) {
        this.notifications = notifications;
        return this;
    }

    public JooqTaskStore build() {
        CheckedDataSource checked = new CheckedDataSource(source);
        DataSource listening = listenerSource == null ? checked : listenerSource;
        return new JooqTaskStore(checked, schema, new Notifications(notifications, checked, listening, schema));
    }
}
