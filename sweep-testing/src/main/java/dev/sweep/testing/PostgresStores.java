package dev.sweep.testing;

import dev.sweep.spi.MigratableStore;
import dev.sweep.spi.TaskStore;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Stores on a schema of a test class's own: migrated once, emptied for each test, dropped at the end. */
final class PostgresStores implements TestStores {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Supplier<? extends DataSource> sources;
    private final StoreFactory factory;
    private @Nullable TestSchema schema;

    /** @param sources asked once for each test class, when its first test is near */
    PostgresStores(Supplier<? extends DataSource> sources, StoreFactory factory) {
        this.sources = sources;
        this.factory = factory;
    }

    @Override
    public void begin(String testClass) {
        TestSchema fresh = new TestSchema(sources.get(), SchemaNames.next(testClass), PATIENCE);
        schema = fresh;
        try (TaskStore store = factory.create(fresh.source(), fresh.name())) {
            if (store instanceof MigratableStore migratable) {
                migratable.migrate();
            }
        }
        fresh.keepWhatIsThere();
    }

    @Override
    public TaskStore newStore() {
        TestSchema current = current();
        current.empty();
        return factory.create(current.source(), current.name());
    }

    @Override
    public void end() {
        if (schema != null) {
            schema.drop();
            schema = null;
        }
    }

    @Override
    public void advance(Duration duration) {
        current().bringNearer(duration);
    }

    @Override
    public SettableTime time() {
        throw new UnsupportedOperationException(
                "the clock of a database can't be set; advance(duration) moves due times,"
                        + " dedup windows and leases nearer instead, and SweepExtension.inMemory() has a clock to set");
    }

    @Override
    public DataSource dataSource() {
        return current().source();
    }

    @Override
    public String schema() {
        return current().name();
    }

    private TestSchema current() {
        TestSchema current = schema;
        if (current == null) {
            throw new IllegalStateException(
                    "there is no schema yet: it is made once for all tests of a class, so declare"
                            + " the field of the SweepExtension static");
        }
        return current;
    }
}
