package dev.sweep.cli;

import dev.sweep.Outcome;
import dev.sweep.Sweep;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent;
import dev.sweep.maintenance.MaintenanceService;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sweep work}: runs tasks through a program, in any language. */
@Command(
        name = "work",
        header = "Run tasks through a program, written in any language.",
        description = {
            "The program is started once per task. It reads the payload (JSON) from stdin, and finds SWEEP_TASK_ID,"
                    + " SWEEP_TASK_TYPE, SWEEP_ATTEMPT, SWEEP_QUEUE, SWEEP_PRIORITY, SWEEP_FENCING_NUMBER and"
                    + " SWEEP_MAX_RETRIES in its environment. How it ends is the outcome:",
            "  0      the task has succeeded",
            "  75     not now: run it again later (--snooze), at no cost in retries",
            "  other  the attempt failed: retry; the end of its stderr is the reason",
            "What the program prints goes to stderr, named by its task. Ctrl-C and SIGTERM stop cleanly (exit code 130"
                    + " or 143): nothing more is claimed, programs get --stop-timeout to end, then they and all they"
                    + " started are killed. A task may run more than once if a worker dies: let the program bear that.",
            "On the side it does what sweep maintain does with its defaults, unless another process already does."
        },
        footer = {
            "  sweep work --type mail --exec ./send-mail.py",
            "  sweep work --type mail --type sms --exec ./send.sh --concurrency 8 -- --fast",
            "  sweep work --type mail --exec ./send-mail.py --drain --json"
        })
final class WorkCommand implements Callable<Integer> {

    /** For the engine's loops and for maintenance; handlers are programs and need none. */
    private static final int CONNECTIONS = 10;

    private static final Duration MAINTENANCE_STOP = Duration.ofSeconds(3);
    private static final int MAX_CONCURRENCY = 1_000;
    private static final int BEATS_PER_LEASE = 3;
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    /** What the stop may take on top of the stop timeout: flush, release, close. */
    private static final Duration STOP_MARGIN = Duration.ofSeconds(10);

    @Option(names = "--type", required = true, paramLabel = "TYPE", description = "Which tasks to run; repeatable.")
    private List<String> types = List.of();

    @Option(
            names = "--exec",
            required = true,
            paramLabel = "PROGRAM",
            description = "The program: its path, or its name on the PATH.")
    private String exec = "";

    @Parameters(paramLabel = "ARGUMENT", arity = "0..*", description = "The program's arguments; put -- before them.")
    private List<String> arguments = List.of();

    @Option(names = "--queue", paramLabel = "QUEUE", description = "Whose tasks to run (default: ${DEFAULT-VALUE}).")
    private String queue = TaskType.DEFAULT_QUEUE;

    @Option(
            names = "--concurrency",
            paramLabel = "N",
            description = "How many programs run at once, 1 to 1,000 (default: twice the processors).")
    private int concurrency = 2 * Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--drain",
            description = "End when no task of these types and this queue is due or under way, here or elsewhere.")
    private boolean drain;

    @Option(
            names = "--snooze",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How much later after exit code 75 (default 10s).")
    private Duration snooze = Duration.ofSeconds(10);

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long a dead worker's tasks wait for another one (default 30s).")
    private Duration lease = Duration.ofSeconds(30);

    @Option(
            names = "--heartbeat",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How often the leases are extended (default: a third of the lease).")
    private @Nullable Duration heartbeat;

    @Option(
            names = "--stop-timeout",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long running programs may go on after a signal (default 30s).")
    private Duration stopTimeout = Duration.ofSeconds(30);

    @Option(
            names = "--no-maintenance",
            description = "Do not maintain the database on the side; then let sweep maintain run somewhere.")
    private boolean noMaintenance;

    @Option(names = "--quiet", description = "Do not show what the programs print.")
    private boolean quiet;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    private volatile boolean isDown;

    @Override
    public Integer call() throws InterruptedException {
        check();
        Program program = Program.find(exec, arguments, System.getenv());
        WorkTally tally = new WorkTally();
        ExecutorService pumps = Executors.newCachedThreadPool(WorkCommand::pumpThread);
        ProgressLine progress = ProgressLine.onTerminal(output.err());
        try (StopSignal stop = StopSignal.listen(stopTimeout.plus(STOP_MARGIN));
                OpenSweep opened = database.open(CONNECTIONS)) {
            ProgramHandler handler = new ProgramHandler(program, snooze, stop, echo(progress), pumps);
            work(opened, handler, tally, stop, progress);
            output.result(tally.json(), tally.toString());
        } finally {
            pumps.shutdownNow();
        }
        return isDown ? ExitCode.FAILED : ExitCode.OK;
    }

    private void work(OpenSweep opened, ProgramHandler handler, WorkTally tally, StopSignal stop, ProgressLine progress)
            throws InterruptedException {
        Sweep sweep = opened.sweep();
        try (MaintenanceService maintenance = MaintenanceService.builder(opened.store())
                        .name("sweep-work")
                        .stopTimeout(MAINTENANCE_STOP)
                        .build();
                Worker worker = worker(sweep, handler, tally, stop)) {
            worker.start();
            if (!noMaintenance) {
                maintenance.start();
            }
            progress.remark("running tasks of type " + String.join(", ", types) + " in queue " + queue + ", up to "
                    + concurrency + " at once; Ctrl-C stops");
            while (!stop.isRequested() && !(drain && isDrained(sweep, worker))) {
                stop.await(LOOK_EVERY);
                progress.show(tally::toString);
            }
        } finally {
            progress.clear();
        }
    }

    private Worker worker(Sweep sweep, ProgramHandler handler, WorkTally tally, StopSignal stop) {
        WorkerBuilder builder = Worker.builder(sweep)
                .queue(queue, concurrency)
                .stopTimeout(stopTimeout)
                .listener(tally)
                .listener(event -> stopIfDown(event, stop));
        types.stream().distinct().forEach(type -> builder.handleForOutcome(TaskType.json(type), handler));
        builder.leaseDuration(lease);
        builder.heartbeat(heartbeat == null ? lease.dividedBy(BEATS_PER_LEASE) : heartbeat);
        return builder.build();
    }

    /** A process that is out of memory ends, so that whoever watches over it starts a new one. */
    private void stopIfDown(TaskEvent event, StopSignal stop) {
        if (event instanceof TaskEvent.WorkerDown) {
            isDown = true;
            stop.request();
        }
    }

    /** Tasks under way elsewhere may come back to us: their worker may be dead, and its lease has to lapse first. */
    private boolean isDrained(Sweep sweep, Worker worker) throws InterruptedException {
        return worker.awaitIdle(LOOK_EVERY) && !isUnderWay(sweep);
    }

    private boolean isUnderWay(Sweep sweep) {
        TaskQuery processing =
                TaskQuery.newest().status(TaskStatus.PROCESSING).queue(queue).limit(1);
        return types.stream()
                .anyMatch(type -> !sweep.list(processing.type(type)).isEmpty());
    }

    private Consumer<String> echo(ProgressLine progress) {
        return quiet ? line -> {} : progress::remark;
    }

    private void check() {
        if (concurrency < 1 || concurrency > MAX_CONCURRENCY) {
            throw CliException.badInput(
                    "--concurrency " + concurrency + " is out of range; use 1 to " + MAX_CONCURRENCY);
        }
        types.forEach(TaskType::json);
        Outcome.snooze(snooze);
    }

    private static Thread pumpThread(Runnable task) {
        Thread thread = new Thread(task, "sweep-pump");
        thread.setDaemon(true);
        return thread;
    }
}
