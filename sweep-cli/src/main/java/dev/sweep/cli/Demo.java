package dev.sweep.cli;

import dev.sweep.StatusCount;
import dev.sweep.TaskStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * One run of the demo on a migrated schema: customers sign up while two worker processes sweep, one of which is killed
 * half-way; it ends when every task has.
 */
final class Demo {

    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration STALLED_AFTER = Duration.ofSeconds(60);

    private final OpenSweep opened;
    private final DemoDatabase database;
    private final int customers;
    private final Misfortune misfortune;
    private final OutputOptions output;
    private final ProgressLine progress;
    private final StopSignal stop;
    private final long expectedTasks;
    private long lastEnded;
    private long lastChangeAt = System.nanoTime();
    private int workersKilled;

    Demo(
            OpenSweep opened,
            DemoDatabase database,
            int customers,
            Misfortune misfortune,
            OutputOptions output,
            StopSignal stop) {
        this.opened = opened;
        this.database = database;
        this.customers = customers;
        this.misfortune = misfortune;
        this.output = output;
        this.progress = ProgressLine.everywhere(output.err());
        this.stop = stop;
        this.expectedTasks = (long) customers * DemoTasks.PER_CUSTOMER.size() + 1;
    }

    /** Runs it; what it counts comes from the database. */
    DemoResult run(Path folder) throws IOException, SQLException, InterruptedException {
        DemoStatements statements = database.statements();
        statements.createTables(opened.connections());
        try (DemoWorkerProcess survivor = DemoWorkerProcess.start("worker 1", database, misfortune, folder);
                DemoWorkerProcess victim = DemoWorkerProcess.start("worker 2", database, misfortune, folder);
                SignUps signUps = new SignUps(opened, statements, customers)) {
            long begin = System.nanoTime();
            opened.sweep().enqueue(DemoTasks.IMPOSSIBLE.with(new DemoTasks.Report("the square circle")));
            signUps.start();
            sweepUntilHalf(signUps, survivor, victim);
            killHalfWay(victim);
            sweepUntilDone(signUps, survivor);
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            progress.clear();
            return new DemoResult(
                    statements.count(opened.connections()),
                    DemoCounts.expected(customers, misfortune),
                    statements.countMails(opened.connections()),
                    workersKilled,
                    took,
                    statements.effectsQuery());
        }
    }

    private void sweepUntilHalf(SignUps signUps, DemoWorkerProcess survivor, DemoWorkerProcess victim)
            throws IOException, InterruptedException {
        while (ended(look(signUps)) * 2 < expectedTasks) {
            survivor.checkAlive();
            victim.checkAlive();
            pause();
        }
    }

    private void killHalfWay(DemoWorkerProcess victim) throws InterruptedException {
        victim.kill();
        workersKilled++;
        progress.clear();
        output.remark("killed " + victim + " with SIGKILL after " + number(lastEnded) + " of " + number(expectedTasks)
                + " tasks; what it was running comes back when its leases lapse");
    }

    private void sweepUntilDone(SignUps signUps, DemoWorkerProcess survivor) throws IOException, InterruptedException {
        boolean isDone = false;
        while (!isDone) {
            survivor.checkAlive();
            boolean haveAllSignedUp = signUps.isDone();
            Map<TaskStatus, Long> counts = look(signUps);
            isDone = haveAllSignedUp && open(counts) == 0;
            if (!isDone) {
                pause();
            }
        }
    }

    private Map<TaskStatus, Long> look(SignUps signUps) {
        signUps.isDone();
        Map<TaskStatus, Long> counts = new EnumMap<>(TaskStatus.class);
        for (StatusCount count : opened.sweep().counts()) {
            counts.put(count.status(), count.count());
        }
        long ended = ended(counts);
        if (ended != lastEnded) {
            lastEnded = ended;
            lastChangeAt = System.nanoTime();
        } else if (System.nanoTime() - lastChangeAt > STALLED_AFTER.toNanos()) {
            throw new CliException(
                    ExitCode.FAILED,
                    "no task has ended for " + STALLED_AFTER.toSeconds() + " s; " + ended + " of " + expectedTasks
                            + " had, " + open(counts) + " wait or run");
        }
        progress.show(() -> "signed up " + number(signUps.done()) + " of " + number(signUps.requests())
                + ", tasks ended " + number(ended) + " of " + number(expectedTasks) + ", waiting or running "
                + number(open(counts)));
        return counts;
    }

    private void pause() throws InterruptedException {
        if (stop.await(LOOK_EVERY)) {
            throw new CliException(ExitCode.FAILED, "stopped");
        }
    }

    private static long ended(Map<TaskStatus, Long> counts) {
        return counts.getOrDefault(TaskStatus.SUCCEEDED, 0L) + counts.getOrDefault(TaskStatus.FAILED, 0L);
    }

    private static long open(Map<TaskStatus, Long> counts) {
        return counts.getOrDefault(TaskStatus.PENDING, 0L) + counts.getOrDefault(TaskStatus.PROCESSING, 0L);
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
