package dev.sweep.cli;

import dev.sweep.maintenance.ChoreReport;
import dev.sweep.maintenance.ChoreState;
import dev.sweep.maintenance.MaintenanceBuilder;
import dev.sweep.maintenance.MaintenanceService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sweep maintain}: keeps the database in shape, for ever or once. */
@Command(
        name = "maintain",
        header = "Keep the database in shape: cleanup, dead letters, totals, indexes, statistics, partitions.",
        description = {
            "Runs until Ctrl-C or SIGTERM. Any number may run at once, also inside workers: one leads, and another takes"
                    + " over if it vanishes. On a server that is read-only it waits.",
            "With --once every chore runs now, until nothing is left to do; the exit code is 1 if one failed.",
            "What is set here of the retention (--succeeded-for, --cancelled-for, --dead-letters-for, --drop, --keep,"
                    + " --export) is kept in the database and holds for every process from then on, also with --once,"
                    + " until it is set anew; --list shows it."
        },
        footer = {
            "  sweep maintain",
            "  sweep maintain --once --only old-tasks",
            "  sweep maintain --succeeded-for 14d",
            "  sweep maintain --list --json"
        })
final class MaintainCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    @Option(names = "--once", description = "Run every chore now, until nothing is left to do, and end.")
    private boolean once;

    @Option(
            names = "--list",
            description = "Show how the chores do and what retention holds, and end; changes nothing.")
    private boolean list;

    @Option(names = "--only", paramLabel = "CHORE", description = "Run no chores but these; repeatable.")
    private List<String> only = List.of();

    @Option(
            names = "--succeeded-for",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "From now on succeeded tasks stay so long after their end (as set before; 7d at first).")
    private @Nullable Duration succeededFor;

    @Option(
            names = "--cancelled-for",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "From now on cancelled tasks stay so long after their end (as set before; 7d at first).")
    private @Nullable Duration cancelledFor;

    @Option(
            names = "--dead-letters-for",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "From now on failed tasks stay so long after their end (as set before; 90d at first).")
    private @Nullable Duration deadLettersFor;

    @ArgGroup
    private @Nullable PartitionFate fate;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() throws InterruptedException {
        if (once && list) {
            throw CliException.badInput("--once and --list exclude each other; give one of them");
        }
        if (list && setsRetention()) {
            throw CliException.badInput(
                    "--list changes nothing; leave out what sets the retention, or leave out --list");
        }
        try (StopSignal stop = StopSignal.listen(PATIENCE);
                OpenSweep opened = database.open(CONNECTIONS);
                MaintenanceService service = service(opened)) {
            if (list) {
                return list(service);
            }
            return once ? runOnce(service, stop) : runForever(service, stop);
        }
    }

    private boolean setsRetention() {
        return succeededFor != null || cancelledFor != null || deadLettersFor != null || fate != null;
    }

    private MaintenanceService service(OpenSweep opened) {
        MaintenanceBuilder builder = MaintenanceService.builder(opened.store())
                .name("sweep-maintain")
                .only(only);
        if (succeededFor != null) {
            builder.succeededFor(succeededFor);
        }
        if (cancelledFor != null) {
            builder.cancelledFor(cancelledFor);
        }
        if (deadLettersFor != null) {
            builder.deadLettersFor(deadLettersFor);
        }
        return PartitionFate.applied(fate, builder).build();
    }

    private int runForever(MaintenanceService service, StopSignal stop) throws InterruptedException {
        service.start();
        output.remark("maintaining as " + service.health().name() + "; Ctrl-C stops");
        stop.await();
        return ExitCode.OK;
    }

    private int runOnce(MaintenanceService service, StopSignal stop) {
        Thread watcher = new Thread(() -> closeAtSignal(service, stop), "sweep-signal");
        watcher.setDaemon(true);
        watcher.start();
        List<ChoreReport> reports = service.runOnce();
        if (output.isJson()) {
            output.out().println(JsonText.line(ChoreViews.jsonOfReports(reports)));
        } else {
            ChoreViews.tableOfReports(reports).print(output.out());
        }
        return reports.stream().anyMatch(ChoreReport::hasFailed) ? ExitCode.FAILED : ExitCode.OK;
    }

    /** The chore under way then ends after its transaction. */
    private static void closeAtSignal(MaintenanceService service, StopSignal stop) {
        try {
            stop.await();
            service.close();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private int list(MaintenanceService service) {
        List<ChoreState> states = service.chores();
        if (output.isJson()) {
            output.out().println(JsonText.line(ChoreViews.jsonOf(service.retention(), states)));
        } else {
            ChoreViews.tableOfStates(states).print(output.out());
            output.out().println(ChoreViews.textOf(service.retention()));
        }
        return ExitCode.OK;
    }
}
