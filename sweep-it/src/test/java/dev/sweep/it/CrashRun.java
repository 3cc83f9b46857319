package dev.sweep.it;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Producers and worker processes at work while misfortunes happen, all of which one seed chooses. */
final class CrashRun implements AutoCloseable {

    private static final int WORKERS = 3;
    private static final int PRODUCERS = 2;
    private static final Duration CALM = Duration.ofSeconds(90);

    private final Database db;
    private final CountDownLatch calm = new CountDownLatch(1);
    private final List<ChaosVictim> victims = new ArrayList<>();
    private final List<TcpProxy> networks = new ArrayList<>();
    private final List<Thread> actors = new ArrayList<>();
    private final long deadlocksBefore;
    final CrashLedger ledger = new CrashLedger();

    CrashRun(Database db, long seed) throws IOException {
        this.db = db;
        this.deadlocksBefore = deadlocks();
        for (int i = 0; i < PRODUCERS; i++) {
            TcpProxy network = TcpProxy.before(db.server);
            networks.add(network);
            CrashProducer producer = new CrashProducer(db, ledger, network, new Random(seed + i));
            actor("producer-" + i, () -> {
                while (!calm.await(producer.pause().toMillis(), TimeUnit.MILLISECONDS)) {
                    producer.step();
                }
            });
        }
        for (int i = 0; i < WORKERS; i++) {
            ChaosVictim victim = new ChaosVictim(db, "w" + i, new Random(seed - 1 - i), calm);
            victims.add(victim);
            actor("chaos-" + i, () -> {
                while (!calm.await(victim.pause().toMillis(), TimeUnit.MILLISECONDS)) {
                    victim.suffer();
                }
            });
        }
    }

    @FunctionalInterface
    private interface Deeds {
        void run() throws Exception;
    }

    private void actor(String name, Deeds deeds) {
        Thread thread = new Thread(
                () -> {
                    try {
                        deeds.run();
                    } catch (Exception | AssertionError e) {
                        ledger.fault(name + " gave up: " + e);
                    }
                },
                name);
        thread.setDaemon(true);
        actors.add(thread);
    }

    /** Lasts for {@code least}, and until all that must happen at least once did, but not longer than {@code most}. */
    void rage(Duration least, Duration most) throws InterruptedException {
        actors.forEach(Thread::start);
        long start = System.nanoTime();
        while (ledger.faults.isEmpty()
                && System.nanoTime() - start < most.toNanos()
                && (System.nanoTime() - start < least.toNanos() || !tally().counts())) {
            calm.await(200, TimeUnit.MILLISECONDS);
        }
        calm.countDown();
        for (Thread actor : actors) {
            actor.join(CALM.toMillis());
            if (actor.isAlive()) {
                ledger.fault(actor.getName() + " does not end");
            }
        }
    }

    /** Waits until the workers have brought everything to an end, and stops them. */
    void settle() throws InterruptedException {
        long start = System.nanoTime();
        while (isBusy()) {
            if (System.nanoTime() - start > CALM.toNanos()) {
                ledger.fault("left over after " + CALM + ": "
                        + db.query(
                                "select row_to_json(t)::text from (select id, type, status, retry_count, losses, due_at"
                                        + " from sweep.tasks where finished_at is null limit 20) t")
                        + ", leases " + db.query("select row_to_json(l)::text from sweep.task_lease l limit 20"));
                return;
            }
            lookAgainSoon();
        }
        for (ChaosVictim victim : victims) {
            victim.stop();
        }
        if (deadlocks() > deadlocksBefore) {
            ledger.fault("deadlocks: " + (deadlocks() - deadlocksBefore));
        }
        ledger.noteLines(lines());
    }

    private long deadlocks() {
        return (Long) db.query("select deadlocks from pg_stat_database where datname = current_database()")
                .get(0);
    }

    private static void lookAgainSoon() {
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }

    private boolean isBusy() {
        return db.count("(select from sweep.task_ready union all select from sweep.task_running"
                        + " union all select from sweep.task_lease) live")
                > 0;
    }

    CrashTally tally() {
        return CrashTally.of(db, lines());
    }

    private List<String> lines() {
        return victims.stream().flatMap(victim -> victim.lines().stream()).toList();
    }

    Map<ChaosVictim.Misfortune, Integer> misfortunes() {
        Map<ChaosVictim.Misfortune, Integer> all = new EnumMap<>(ChaosVictim.Misfortune.class);
        victims.forEach(victim -> victim.suffered().forEach((kind, count) -> all.merge(kind, count, Integer::sum)));
        return all;
    }

    @Override
    public void close() {
        calm.countDown();
        victims.forEach(ChaosVictim::close);
        networks.forEach(TcpProxy::close);
    }
}
