package dev.sweep.jooq;

import dev.sweep.spi.TaskStore;
import dev.sweep.testing.TaskStoreProperties;
import java.time.Duration;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** The properties on PostgreSQL; its clock can't be moved, so what is stored is moved the other way. */
@PropertyDefaults(tries = 40)
class JooqTaskStorePropertiesIT extends TaskStoreProperties {

    private static StoreUnderTest test;

    @BeforeContainer
    static void migrate() {
        test = StoreUnderTest.migrated("properties");
    }

    @AfterContainer
    static void drop() {
        test.close();
    }

    @Override
    protected TaskStore newStore() {
        test.empty();
        return JooqTaskStore.builder(test.source).schema(test.schema).build();
    }

    @Override
    protected void passTime(Duration duration) {
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            return; // It passes by itself.
        }
        String shift = " - interval '" + duration.toSeconds() + " seconds'";
        test.execute("update sweep.task set due_at = due_at" + shift);
        test.execute("update sweep.task_ready set due_at = due_at" + shift);
        test.execute("update sweep.task_running set due_at = due_at" + shift);
        test.execute("update sweep.task_lease set lease_until = lease_until" + shift);
        test.execute("update sweep.task_key set until = until" + shift);
    }

    @Override
    protected void checkInvariants() {
        test.checkInvariants();
    }
}
