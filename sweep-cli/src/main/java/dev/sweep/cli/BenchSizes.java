package dev.sweep.cli;

import dev.sweep.cli.bench.BenchPlan;
import dev.sweep.cli.bench.Load;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The options of the bench about how much of everything. */
final class BenchSizes {

    private static final int MAX_TASKS = 50_000_000;
    private static final int MAX_PROCESSES = 64;
    private static final int MAX_THREADS = 1_000;
    private static final int MIN_PAYLOAD = 40;
    private static final int MAX_PAYLOAD = 1_000_000;
    private static final int MAX_WEEKS = 120;
    private static final int MAX_ROUNDS = 1_000;
    private static final int MAX_RATE = 1_000_000;
    private static final int MAX_SECONDS = 86_400;

    @Option(
            names = "--tasks",
            paramLabel = "N",
            description = "How many tasks each run measures, 1 to 50,000,000 (default ${DEFAULT-VALUE}).")
    private int tasks = 20_000;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "How many more it does first, unmeasured (default ${DEFAULT-VALUE}).")
    private int warmUp = 5_000;

    @Option(
            names = "--backlog",
            paramLabel = "N",
            description = "So many more tasks wait beforehand, and stay (default ${DEFAULT-VALUE}).")
    private int backlog;

    @Option(
            names = "--finished",
            paramLabel = "N",
            description = "So many tasks have ended beforehand (default ${DEFAULT-VALUE}).")
    private int finished;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "Sweep has so many weekly partitions, evenly filled; 0: none (default ${DEFAULT-VALUE}).")
    private int partitions;

    @Option(
            names = "--pin-xmin",
            description = "A snapshot is held open from before the run, so that no dead row can be removed.")
    private boolean isPinned;

    @Option(
            names = "--pin-for",
            paramLabel = "SECONDS",
            description = "With --pin-xmin: tasks come and go for so long before the run (default ${DEFAULT-VALUE}).")
    private int pinSeconds;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Worker processes, 1 to 64 (default ${DEFAULT-VALUE}).")
    private int workers = 1;

    @Option(
            names = "--base-workers",
            paramLabel = "N",
            description =
                    "Each contender also runs with so many worker processes and without backlog, finished tasks,"
                            + " partitions and pin, as NAME/base, to be compared to; 0: it does not (default ${DEFAULT-VALUE}).")
    private int baseWorkers;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "Slots of each worker of Sweep; 0: its default, two per core (default ${DEFAULT-VALUE}).")
    private int concurrency;

    @Option(
            names = "--producers",
            paramLabel = "N",
            description = "How many enqueue singly at once, 1 to 1,000 (default ${DEFAULT-VALUE}).")
    private int producers = 4;

    @Option(
            names = "--payload",
            paramLabel = "BYTES",
            description = "The size of each payload, 40 to 1,000,000 (default ${DEFAULT-VALUE}).")
    private int payloadBytes = 100;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "How often each run is repeated, turn by turn, 1 to 1,000 (default ${DEFAULT-VALUE}).")
    private int rounds = 3;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Enqueues a second in the sustained workload (default ${DEFAULT-VALUE}).")
    private int perSecond = 1_000;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "How long pick-up, sustained and idle last (default ${DEFAULT-VALUE}).")
    private int seconds = 10;

    /** Refuses what is out of range. */
    void check() {
        within("--tasks", tasks, 1, MAX_TASKS);
        within("--warm-up", warmUp, 0, MAX_TASKS);
        within("--backlog", backlog, 0, MAX_TASKS);
        within("--finished", finished, 0, MAX_TASKS);
        within("--partitions", partitions, 0, MAX_WEEKS);
        within("--pin-for", pinSeconds, 0, MAX_SECONDS);
        within("--workers", workers, 1, MAX_PROCESSES);
        within("--base-workers", baseWorkers, 0, MAX_PROCESSES);
        within("--concurrency", concurrency, 0, MAX_THREADS);
        within("--producers", producers, 1, MAX_THREADS);
        within("--payload", payloadBytes, MIN_PAYLOAD, MAX_PAYLOAD);
        within("--rounds", rounds, 1, MAX_ROUNDS);
        within("--rate", perSecond, 1, MAX_RATE);
        within("--seconds", seconds, 1, MAX_SECONDS);
        if (pinSeconds > 0 && !isPinned) {
            throw CliException.badInput("--pin-for says how long before the run the snapshot is held; add --pin-xmin");
        }
    }

    private static void within(String option, int value, int min, int max) {
        if (value < min || value > max) {
            throw CliException.badInput(option + " " + value + " is out of range; use " + min + " to " + max);
        }
    }

    BenchPlan plan() {
        return new BenchPlan(
                tasks,
                warmUp,
                new Load(backlog, finished, partitions, isPinned, Duration.ofSeconds(pinSeconds)),
                workers,
                concurrency,
                producers,
                payloadBytes,
                rounds,
                perSecond,
                Duration.ofSeconds(seconds));
    }

    int baseWorkers() {
        return baseWorkers;
    }
}
