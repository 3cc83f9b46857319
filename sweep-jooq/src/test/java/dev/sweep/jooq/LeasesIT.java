package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.TaskType;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.Heartbeat;
import dev.sweep.spi.HeartbeatRequest;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LeasesIT {

    private static final TaskType<Json> TYPE = TaskType.json("t");
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static StoreUnderTest test;

    @BeforeAll
    static void migrate() {
        test = StoreUnderTest.migrated("leases");
    }

    @AfterAll
    static void drop() {
        test.close();
    }

    private static Claim claim() {
        test.sweep.enqueue(TYPE.with(Json.of("{}")));
        return test.store.claim(new ClaimRequest("w", Set.of("t"), Map.of("default", 1), 0, LEASE, true));
    }

    /** Case B39 for the lease row: a beat waits for nobody. */
    @Test
    @Timeout(10)
    void aBeatExtendsTheOtherLeasesWhileSomeoneHoldsOne() throws SQLException {
        long held = claim().lease();
        long free = claim().lease();
        long empty = claim().lease();
        test.execute("delete from sweep.task_running where lease = " + empty);
        HeartbeatRequest beat = new HeartbeatRequest("w", LEASE, Set.of(held, free), Set.of());
        try (Connection other = test.source.getConnection();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute(
                    test.inSchema("select from sweep.task_lease where id in (" + held + ", " + empty + ") for update"));
            Heartbeat answer = test.store.heartbeat(beat);
            other.rollback();
            assertThat(answer.extended()).containsExactly(free);
        }
        assertThat(test.store.heartbeat(beat).extended()).containsExactlyInAnyOrder(held, free);
        assertThat(test.count("sweep.task_lease where id = " + empty)).isZero();
    }
}
