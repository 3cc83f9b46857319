package dev.sweep.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sweep demo}: the main promises, seen at work. */
@Command(
        name = "demo",
        header = "See it work: sign-ups, failures, a worker killed half-way, and every effect exactly once.",
        description = {
            "Customers sign up, each in one transaction that also enqueues a task; every tenth does so twice, and the"
                    + " second is refused by its dedup key. Two worker processes sweep: each sign-up fans out to three"
                    + " more tasks, one attempt in twenty fails and is retried, one task never succeeds, and one worker"
                    + " is killed with SIGKILL half-way. At the end everything is counted by SQL.%n",
            "Needs nothing but this command: it starts an embedded PostgreSQL in a throw-away folder. With --url it"
                    + " works in two schemas of its own, sweep_demo_..., and drops them. SWEEP_URL is not used."
        },
        footer = {
            "  sweep demo",
            "  sweep demo --tasks 50000 --keep",
            "  sweep demo --url postgresql://me@localhost:5432/test --json"
        })
final class DemoCommand implements Callable<Integer> {

    private static final int MIN_TASKS = 10;
    private static final int MAX_TASKS = 1_000_000;
    private static final double FAILING_SHARE = 0.05;
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
    /** How much later than its children a process may hear of a signal. */
    private static final Duration SIGNAL_DELAY = Duration.ofMillis(300);

    private static final int CONNECTIONS = SignUps.THREADS + 2;

    @Option(
            names = "--tasks",
            paramLabel = "N",
            description =
                    "How many customers sign up, 10 to 1,000,000; each makes four tasks (default ${DEFAULT-VALUE}).")
    private int tasks = 5_000;

    @Option(
            names = "--keep",
            description = "Keep the database at the end, to look around: an embedded one until Enter or Ctrl-C.")
    private boolean keep;

    @Option(names = "--seed", paramLabel = "N", description = "Decides which attempts fail (default: random).")
    private long seed = ThreadLocalRandom.current().nextInt(1_000_000);

    @Mixin
    private OutputOptions output;

    /** Null: none of its options is given. */
    @ArgGroup(validate = false, heading = "%nYour own PostgreSQL instead of the embedded one:%n")
    private @Nullable OwnDatabaseOptions own;

    @Override
    public Integer call() throws IOException, SQLException, InterruptedException {
        if (tasks < MIN_TASKS || tasks > MAX_TASKS) {
            throw CliException.badInput("--tasks " + tasks + " is out of range; use " + MIN_TASKS + " to " + MAX_TASKS);
        }
        try (StopSignal stop = StopSignal.listen(STOP_PATIENCE)) {
            try (ThrowAwayFolder folder = ThrowAwayFolder.create()) {
                return runUnlessStopped(folder.path(), stop);
            }
        }
    }

    private DemoDatabase database() {
        if (own != null) {
            return DemoDatabase.at(own.address(System.getenv()));
        }
        output.remark("starting an embedded PostgreSQL in a throw-away folder ...");
        return DemoDatabase.embedded();
    }

    /** Ctrl-C also reaches the workers and the embedded PostgreSQL: what fails then is no news. */
    private int runUnlessStopped(Path folder, StopSignal stop) throws IOException, SQLException, InterruptedException {
        try (DemoDatabase database = database()) {
            return runOn(database, folder, stop);
        } catch (RuntimeException | SQLException failed) {
            if (stop.await(SIGNAL_DELAY)) {
                throw new CliException(ExitCode.FAILED, "stopped", failed);
            }
            throw failed;
        }
    }

    private int runOn(DemoDatabase database, Path folder, StopSignal stop)
            throws IOException, SQLException, InterruptedException {
        try (OpenSweep opened = OpenSweep.connect(database.address(), database.taskSchema(), CONNECTIONS)) {
            try {
                opened.sweep().migrate();
                DemoResult result = demo(opened, database, stop).run(folder);
                report(result);
                if (keep) {
                    letLookAround(database, stop);
                }
                return result.faults().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
            } finally {
                if (!database.isEmbedded() && !keep) {
                    database.statements().dropSchemas(opened.connections());
                }
            }
        }
    }

    private Demo demo(OpenSweep opened, DemoDatabase database, StopSignal stop) {
        output.remark("signing up " + tasks + " customers while two worker processes sweep (seed " + seed + ") ...");
        return new Demo(opened, database, tasks, new Misfortune(seed, FAILING_SHARE), output, stop);
    }

    private void report(DemoResult result) {
        if (output.isJson()) {
            output.out().println(JsonText.line(result.json()));
            output.out().flush();
        } else {
            result.print(output.out());
        }
        List<String> faults = result.faults();
        faults.forEach(fault -> output.remark("off: " + fault));
    }

    private void letLookAround(DemoDatabase database, StopSignal stop) throws IOException, InterruptedException {
        DatabaseAddress address = database.address();
        String login = address.user() == null ? "" : " --user " + address.user();
        output.remark("look around with");
        output.remark("  ./sweep stats --url " + address + login + " --schema " + database.taskSchema());
        output.remark("  ./sweep list --status failed --url " + address + login + " --schema " + database.taskSchema());
        output.remark("  psql " + psqlUrl(address));
        if (database.isEmbedded()) {
            output.remark("Enter or Ctrl-C ends the embedded PostgreSQL and deletes it.");
            awaitEnter(stop);
        } else {
            output.remark("and drop it with");
            output.remark("  drop schema " + database.shopSchema() + " cascade; drop schema " + database.taskSchema()
                    + " cascade;");
        }
    }

    private static String psqlUrl(DatabaseAddress address) {
        String place = address.toString().substring("jdbc:".length());
        return address.user() == null ? place : place.replaceFirst("//", "//" + address.user() + "@");
    }

    /** The end of stdin is no Enter: a demo in the background stays until the signal. */
    private static void awaitEnter(StopSignal stop) throws InterruptedException {
        Thread reader = new Thread(() -> requestAtEnter(stop), "sweep-enter");
        reader.setDaemon(true);
        reader.start();
        stop.await();
    }

    private static void requestAtEnter(StopSignal stop) {
        try {
            if (System.in.read() >= 0) {
                stop.request();
            }
        } catch (IOException noInput) {
            // Only the signal is left.
        }
    }
}
