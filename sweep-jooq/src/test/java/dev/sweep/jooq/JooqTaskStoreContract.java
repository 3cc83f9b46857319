package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;

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
        test.execute(
                "truncate sweep.task, sweep.task_outcome, sweep.task_failure, sweep.task_ready, sweep.task_running,"
                        + " sweep.task_lease, sweep.task_key, sweep.queue, sweep.stat_delta");
        return JooqTaskStore.builder(test.source).schema(test.schema).build();
    }

    @Override
    protected void checkInvariants() {
        assertThat(test.query("""
                        select t.id from sweep.task t
                        where (select count(*) from sweep.task_ready r where r.id = t.id)
                            + (select count(*) from sweep.task_running r where r.id = t.id)
                            + (select count(*) from sweep.task_outcome o where o.id = t.id) <> 1
                        """))
                .as("tasks that are not in exactly one place")
                .isEmpty();
        assertThat(test.query("""
                        select k.key from sweep.task_key k
                        where not exists (select from sweep.task t where t.id = k.id and t.dedup_key = k.key)
                        """)).as("keys without their task").isEmpty();
        assertThat(test.query("""
                        select o.status from sweep.task_outcome o group by o.status
                        having count(*) <> (select coalesce(sum(d.tasks), 0) from sweep.stat_delta d
                                            where d.status = o.status)
                        """))
                .as("statuses whose totals differ from their rows")
                .isEmpty();
        assertThat(test.query("""
                        select o.id from sweep.task_outcome o join sweep.task t on t.id = o.id
                        where o.retries > t.max_retries or o.created_at <> sweep.id_time(o.id)
                        """)).as("outcomes that can't be").isEmpty();
    }
}
