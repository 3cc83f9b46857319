package dev.sweep.it;

import dev.sweep.TaskType;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One worker process and the network that it has to itself, to which one misfortune after another happens, as its seed
 * says. A killed process is followed by a new one.
 */
final class ChaosVictim implements AutoCloseable {

    enum Misfortune {
        KILL,
        FREEZE,
        TERMINATE_BACKENDS,
        CUT,
        CUT_AFTER_COMMIT,
        CUT_BEFORE_COMMIT,
        SWALLOW
    }

    static final Duration LEASE = Duration.ofSeconds(1);
    /** As the protocol ends it; else READ COMMITTED would do. */
    static final String COMMIT = "COMMIT\0";

    private static final Misfortune[] ALL = Misfortune.values();
    private static final int SLOTS = 4;

    private final Database db;
    private final String name;
    private final Random random;
    private final CountDownLatch calm;
    private final TcpProxy network;
    private final Map<Misfortune, Integer> suffered = new EnumMap<>(Misfortune.class);
    /** The last one lives. */
    private final List<WorkerProcess> processes = new CopyOnWriteArrayList<>();

    /** @param calm opens when no more misfortunes shall happen */
    ChaosVictim(Database db, String name, Random random, CountDownLatch calm) throws IOException {
        this.db = db;
        this.name = name;
        this.random = random;
        this.calm = calm;
        this.network = TcpProxy.before(db.server);
        start();
    }

    private WorkerProcess process() {
        return processes.get(processes.size() - 1);
    }

    private void start() {
        String url = network.jdbcUrl();
        WorkerProcess started = WorkerProcess.of(db, name)
                .url(url + (url.contains("?") ? "&" : "?") + "ApplicationName=" + applicationName())
                .lease(LEASE)
                .slots(SLOTS)
                .jvmOption("-Xmx48m")
                .jvmOption("-XX:+UseSerialGC")
                .start(CrashErrands.ALL.toArray(TaskType<?>[]::new));
        processes.add(started);
    }

    Duration pause() {
        return Duration.ofMillis(random.nextInt(200, 2_000));
    }

    void suffer() throws InterruptedException {
        if (!process().isAlive()) {
            throw new AssertionError(
                    "worker " + name + " ended by itself; it said " + process().lines());
        }
        Misfortune misfortune = ALL[random.nextInt(ALL.length)];
        suffered.merge(misfortune, 1, Integer::sum);
        switch (misfortune) {
            case KILL -> {
                process().kill();
                start();
            }
            case FREEZE -> {
                process().freeze();
                calm.await(pastTheLease(), TimeUnit.MILLISECONDS);
                process().thaw();
            }
            case TERMINATE_BACKENDS -> terminateBackends();
            case CUT -> network.cut();
            case CUT_AFTER_COMMIT -> cutAtCommit(TcpProxy.Fault.CUT_AFTER);
            case CUT_BEFORE_COMMIT -> cutAtCommit(TcpProxy.Fault.CUT_BEFORE);
            case SWALLOW -> {
                network.swallow();
                calm.await(pastTheLease(), TimeUnit.MILLISECONDS);
                network.pass();
                network.cut();
            }
        }
    }

    private long pastTheLease() {
        return LEASE.toMillis() + random.nextInt(200, 1_500);
    }

    private void terminateBackends() {
        int most = random.nextInt(1, 8);
        db.query("select pg_terminate_backend(pid) from (select pid from pg_stat_activity where application_name = '"
                + applicationName() + "' order by pid limit " + most + ") chosen");
    }

    /** The text of a commit crosses the network once per connection; the driver has a short name for it afterwards. */
    private void cutAtCommit(TcpProxy.Fault fault) {
        network.breakAt(COMMIT, fault);
        network.cut();
    }

    private String applicationName() {
        return db.schema + "-" + name;
    }

    Map<Misfortune, Integer> suffered() {
        return suffered;
    }

    /** What all its processes said so far. */
    List<String> lines() {
        return processes.stream().flatMap(process -> process.lines().stream()).toList();
    }

    void stop() throws InterruptedException {
        process().stop();
    }

    @Override
    public void close() {
        processes.forEach(WorkerProcess::close);
        network.close();
    }
}
