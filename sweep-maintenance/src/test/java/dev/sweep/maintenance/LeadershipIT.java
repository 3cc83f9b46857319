package dev.sweep.maintenance;

import static dev.sweep.maintenance.Installation.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeadershipIT {

    private static final Installation db = Installation.named("leadership");
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(300);

    @AfterAll
    static void close() {
        db.close();
    }

    @BeforeEach
    void nobodyLeads() {
        db.execute("truncate sweep.maintenance_lease");
    }

    @Test
    void ofManyThatAskAtOnceOneLeads() throws Exception {
        int many = 8;
        ExecutorService threads = Executors.newFixedThreadPool(many);
        try {
            for (int round = 0; round < 10; round++) {
                nobodyLeads();
                CyclicBarrier together = new CyclicBarrier(many);
                List<Callable<Boolean>> contenders = IntStream.range(0, many)
                        .<Callable<Boolean>>mapToObj(n -> () -> {
                            Leadership contender = leadership("contender-" + n, LONG);
                            together.await();
                            return contender.hold();
                        })
                        .toList();
                int leaders = 0;
                for (Future<Boolean> answer : threads.invokeAll(contenders)) {
                    leaders += answer.get() ? 1 : 0;
                }
                assertThat(leaders).isEqualTo(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aLeaderKeepsTheLeadAndItsTerm() {
        Leadership leader = leadership("one", LONG);
        assertThat(leader.hold()).isTrue();
        assertThat(leader.hold()).isTrue();
        assertThat(term()).isEqualTo(1);
        assertThat(leadership("other", LONG).hold()).isFalse();
        assertThat(confirms(leader)).isTrue();
    }

    @Test
    void theLeadOfOneThatVanishedLapsesAndPassesOn() {
        Leadership vanished = leadership("vanished", SHORT);
        assertThat(vanished.hold()).isTrue();
        Leadership next = leadership("next", LONG);
        assertThat(next.hold()).isFalse();
        until("its lease has lapsed", next::hold);
        assertThat(term()).isEqualTo(2);
    }

    @Test
    void oneThatFrozeAndWokeLeadsNoMoreAndCanConfirmNothing() {
        Leadership frozen = leadership("frozen", SHORT);
        assertThat(frozen.hold()).isTrue();
        Leadership next = leadership("next", LONG);
        until("its lease has lapsed", next::hold);
        assertThat(frozen.isHeld()).isFalse();
        assertThat(confirms(frozen)).isFalse();
        assertThat(frozen.hold()).isFalse();
        assertThat(confirms(next)).isTrue();
    }

    @Test
    void oneThatFrozeWhileNobodyElseAskedGoesOnInItsTerm() {
        Leadership frozen = leadership("frozen", SHORT);
        frozen.hold();
        db.execute("update sweep.maintenance_lease set lease_until = clock_timestamp() - interval '1 hour'");
        assertThat(confirms(frozen)).isTrue();
        assertThat(frozen.hold()).isTrue();
        assertThat(term()).isEqualTo(1);
    }

    @Test
    void theClockThatDecidesIsTheDatabases() {
        leadership("leader", LONG).hold();
        Leadership next = leadership("next", LONG);
        assertThat(next.hold()).isFalse();
        db.execute("update sweep.maintenance_lease set lease_until = clock_timestamp() - interval '1 microsecond'");
        assertThat(next.hold()).isTrue();
    }

    @Test
    void aLeaseOfAClockThatWasAheadKeepsNobodyFromTheLead() {
        leadership("leader", LONG).hold();
        db.execute("update sweep.maintenance_lease set lease_until = clock_timestamp() + interval '61 minutes'");
        assertThat(leadership("next", LONG).hold()).isTrue();
        assertThat(db.query("select lease_until < clock_timestamp() + interval '1 hour' from sweep.maintenance_lease"))
                .containsExactly(true);
    }

    @Test
    void aLeadThatIsReleasedPassesOnAtOnce() {
        Leadership leader = leadership("leader", LONG);
        leader.hold();
        leader.release();
        assertThat(leader.isHeld()).isFalse();
        assertThat(leadership("next", LONG).hold()).isTrue();
        leader.release();
        assertThat(db.leader()).isEqualTo("next");
    }

    private static Leadership leadership(String holder, Duration lease) {
        return new Leadership(db.store.database(), new MaintenanceStatements(db.store.database()), holder, lease);
    }

    private static boolean confirms(Leadership leadership) {
        return db.store.database().inTransaction(Limits.OF_ROWS, leadership::confirm);
    }

    private static long term() {
        return (Long) db.query("select term from sweep.maintenance_lease").get(0);
    }
}
