package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.Json;
import dev.sweep.TaskType;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.Heartbeat;
import dev.sweep.spi.HeartbeatRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
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

    /** A claim of a worker that died while the clock was ahead: its lease would end in a year. */
    @Test
    void aLeaseFromAClockThatWasAheadLapsesAfterItsOwnLength() {
        long lease = claim().lease();
        test.execute("update sweep.task_lease set claimed_at = now() + interval '1 year',"
                + " lease_until = now() + interval '1 year 200 ms' where id = " + lease);

        assertThat(reclaimed(lease)).as("at once").isZero();
        assertThat(test.count("sweep.task_lease where lease_until <= now() + interval '200 ms' and id = " + lease))
                .isOne();
        awaitLapse(lease);
        assertThat(reclaimed(lease)).isOne();
    }

    /** How long its own length is can't be told any more; but no lease is longer than a day. */
    @Test
    void aLeaseThatWasExtendedByAClockThatWasAheadLapsesAfterADay() {
        long lease = claim().lease();
        test.execute("update sweep.task_lease set lease_until = now() + interval '1 year' where id = " + lease);

        assertThat(reclaimed(lease)).isZero();
        assertThat(test.count("sweep.task_lease where lease_until between now() + interval '23 hours' and now()"
                        + " + interval '1 day' and id = " + lease))
                .isOne();
    }

    /** Between the clock's step back and its next beat it must lose nothing, whatever the lease of whoever reclaims. */
    @Test
    void aLiveWorkerKeepsALeaseFromAClockThatWasAheadUntilItsNextBeat() {
        long lease = claim().lease();
        test.execute("update sweep.task_lease set claimed_at = claimed_at + interval '1 year',"
                + " lease_until = lease_until + interval '1 year' where id = " + lease);

        assertThat(reclaimed(lease)).isZero();
        assertThat(test.count("sweep.task_lease where lease_until > now() + interval '50 s' and id = " + lease))
                .isOne();
        HeartbeatRequest beat = new HeartbeatRequest("w", LEASE, Set.of(lease), Set.of());
        assertThat(test.store.heartbeat(beat).extended()).containsExactly(lease);
        assertThat(reclaimed(lease)).isZero();
        assertThat(test.count("sweep.task_running where lease = " + lease)).isOne();
    }

    /** Else nothing would be taken back until the time at which the server started comes again. */
    @Test
    void aServerThatStartedWhileItsClockWasAheadReclaims() {
        long lease = claim().lease();
        test.execute("update sweep.task_lease set lease_until = now() where id = " + lease);
        test.execute("create function sweep.pg_postmaster_start_time() returns timestamptz language sql as"
                + " $$ select now() + interval '1 year' $$");
        String path = URLEncoder.encode(test.quotedSchema() + ",pg_catalog", StandardCharsets.UTF_8);
        String url =
                test.server.jdbcUrl() + (test.server.jdbcUrl().contains("?") ? "&" : "?") + "currentSchema=" + path;
        try (HikariDataSource ahead = PooledDataSource.open(url, test.server.user(), test.server.password(), 5)) {
            try (JooqTaskStore store =
                    JooqTaskStore.builder(ahead).schema(test.schema).build()) {
                assertThat(store.reclaim(LEASE, 10).returned()).hasSize(1);
            }
        } finally {
            test.execute("drop function sweep.pg_postmaster_start_time()");
        }
    }

    private static long reclaimed(long lease) {
        return test.store.reclaim(Duration.ofMillis(1), 10).returned().stream()
                .filter(attempt -> attempt.lease() == lease)
                .count();
    }

    private static void awaitLapse(long lease) {
        test.execute("do $$ begin while exists (select from sweep.task_lease where lease_until >= clock_timestamp()"
                + " and id = " + lease + ") loop perform pg_sleep(0.01); end loop; end $$");
    }
}
