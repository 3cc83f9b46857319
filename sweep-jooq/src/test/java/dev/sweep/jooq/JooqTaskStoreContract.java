package dev.sweep.jooq;

import dev.sweep.spi.TaskStore;
import dev.sweep.testing.PostgresServer;
import dev.sweep.testing.TransactionalTaskStoreContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The store contract on one server: one schema, emptied before each test, and read whole after it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JooqTaskStoreContract extends TransactionalTaskStoreContract {

    private StoreUnderTest test;

    abstract PostgresServer server();

    @BeforeAll
    void migrate() {
        test = StoreUnderTest.migrated(server(), "contract");
    }

    @AfterAll
    void drop() {
        test.close();
        release(test.server);
    }

    /** Stops a server that only this class uses. */
    void release(PostgresServer server) {}

    @Override
    protected TaskStore newStore() {
        test.empty();
        return asUsed(JooqTaskStore.builder(test.source).schema(test.schema).build(), test);
    }

    /** What stands between the store and the suite. */
    TaskStore asUsed(JooqTaskStore store, StoreUnderTest test) {
        return store;
    }

    @Override
    protected void checkInvariants() {
        test.checkInvariants();
    }
}
