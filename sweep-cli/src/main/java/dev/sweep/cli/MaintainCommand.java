package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
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
            "With --once every chore runs now, until nothing is left to do; the exit code is 1 if one failed."
        },
        footer = {
            "  sweep maintain",
            "  sweep maintain --once --only old-tasks --succeeded-for 1d",
            "  sweep maintain --list --json"
        })
final class MaintainCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 5;
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    @Option(names = "--once", description = "Run every chore now, until nothing is left to do, and end.")
    private boolean once;

    @Option(names = "--list", description = "Show how the chores do, and end; changes nothing.")
    private boolean list;

    @Option(names = "--only", paramLabel = "CHORE", description = "Run no chores but these; repeatable.")
    private List<String> only = List.of();

    @Option(
            names = "--succeeded-for",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long succeeded tasks stay after their end (default 7d).")
    private @Nullable Duration succeededFor;

    @Option(
            names = "--cancelled-for",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long cancelled tasks stay after their end (default 7d).")
    private @Nullable Duration cancelledFor;

    @Option(
            names = "--dead-letters-for",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "How long failed tasks stay after their end (default 90d).")
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
        try (StopSignal stop = StopSignal.listen(PATIENCE);
                OpenSweep opened = database.open(CONNECTIONS);
                MaintenanceService service = service(opened)) {
            if (list) {
                return list(service.chores());
            }
            return once ? runOnce(service, stop) : runForever(service, stop);
        }
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

    private int list(List<ChoreState> states) {
        if (output.isJson()) {
            ArrayNode json = ChoreViews.jsonOfStates(states);
            output.out().println(JsonText.line(json));
        } else {
            ChoreViews.tableOfStates(states).print(output.out());
        }
        return ExitCode.OK;
    }
}
