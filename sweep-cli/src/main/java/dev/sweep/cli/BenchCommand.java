package dev.sweep.cli;

import dev.sweep.cli.bench.Bench;
import dev.sweep.cli.bench.BenchException;
import dev.sweep.cli.bench.BenchResult;
import dev.sweep.cli.bench.Contender;
import dev.sweep.cli.bench.Contenders;
import dev.sweep.cli.bench.Place;
import dev.sweep.cli.bench.Workload;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sweep bench}: how fast Sweep is on a PostgreSQL, and against what one would write by hand. */
@Command(
        name = "bench",
        header = "Measure Sweep on a PostgreSQL, against hand-written loops in the same run.",
        description = {
            "Each contender does the same workloads, turn by turn, with producers and workers in processes of their own and"
                    + " tasks that do nothing: sweep with default settings; classic, the one-table loop with a commit for"
                    + " each task; best-loop, the best one-table loop we could write, all in batches, without leases or"
                    + " retries. Printed are medians, their spread, ratios to the loops, and costs by task: WAL bytes,"
                    + " commits by 100 tasks, microseconds of CPU. The ratios are the result: absolute numbers are the"
                    + " machine's. After each run all tasks are counted; one too few or too many fails the bench.%n",
            "Needs nothing but this command: it starts an embedded PostgreSQL in a throw-away folder, with durable"
                    + " commits. With --url it works in schemas of its own, sweep_bench_..., and drops them. SWEEP_URL is"
                    + " not used."
        },
        footer = {
            "  sweep bench",
            "  sweep bench --workloads drain --tasks 200000 --rounds 5 --json",
            "  sweep bench --workloads drain --backlog 1000000 --base-workers 1 --contenders sweep",
            "  sweep bench --url postgresql://me@localhost:5432/test"
        })
final class BenchCommand implements Callable<Integer> {

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);
    /** For dozens of worker processes. */
    private static final String MAX_CONNECTIONS = "500";

    @Option(
            names = "--contenders",
            paramLabel = "A,B",
            split = ",",
            description = "Who takes part: sweep, classic, best-loop (default: all).")
    private List<String> contenders =
            Contenders.all().stream().map(Contender::name).toList();

    @Option(
            names = "--workloads",
            paramLabel = "A,B",
            split = ",",
            description =
                    "What they do: enqueue, enqueue-keys, enqueue-single, drain, life, life-wal, pick-up, sustained,"
                            + " idle (default: enqueue,drain,life).")
    private List<String> workloads = List.of("enqueue", "drain", "life");

    @Mixin
    private BenchSizes sizes = new BenchSizes();

    @Option(
            names = "--setting",
            paramLabel = "NAME=VALUE",
            description = "A setting of the embedded PostgreSQL, such as shared_buffers=1GB; repeatable.")
    private Map<String, String> settings = new LinkedHashMap<>();

    @Mixin
    private OutputOptions output;

    /** Null: none of its options is given. */
    @ArgGroup(validate = false, heading = "%nYour own PostgreSQL instead of the embedded one:%n")
    private @Nullable OwnDatabaseOptions own;

    @Override
    public Integer call() throws IOException, SQLException, InterruptedException {
        sizes.check();
        List<Contender> chosenContenders = chosen("--contenders", contenders, Contenders::named);
        List<Workload> chosenWorkloads = chosen("--workloads", workloads, Workload::named);
        if (own != null && !settings.isEmpty()) {
            throw CliException.badInput("--setting is about the embedded PostgreSQL; change your own by its own means");
        }
        try (StopSignal stop = StopSignal.listen(STOP_PATIENCE);
                ThrowAwayFolder folder = ThrowAwayFolder.create();
                EmbeddedServer server = server()) {
            Bench bench = new Bench(
                    place(server.address()),
                    sizes.plan(),
                    own == null,
                    folder.path(),
                    time -> pause(stop, time),
                    output::remark);
            report(bench.run(chosenWorkloads, chosenContenders, sizes.baseWorkers()));
            return ExitCode.OK;
        } catch (BenchException off) {
            throw new CliException(ExitCode.FAILED, String.valueOf(off.getMessage()), off);
        }
    }

    private static <T> List<T> chosen(String option, List<String> names, Function<String, T> named) {
        if (names.stream().distinct().count() != names.size()) {
            throw CliException.badInput(option + " " + String.join(",", names) + " names one twice; name each once");
        }
        try {
            return names.stream().map(named).toList();
        } catch (IllegalArgumentException unknown) {
            throw new CliException(ExitCode.BAD_INPUT, option + ": " + unknown.getMessage(), unknown);
        }
    }

    private EmbeddedServer server() {
        if (own != null) {
            DatabaseAddress address = own.address(System.getenv());
            address.checkAnswers();
            return new EmbeddedServer(address, () -> {});
        }
        output.remark("starting an embedded PostgreSQL in a throw-away folder ...");
        Map<String, String> all = new LinkedHashMap<>();
        all.put("max_connections", MAX_CONNECTIONS);
        all.putAll(settings);
        return EmbeddedServer.start(all);
    }

    private static Place place(DatabaseAddress address) {
        String suffix =
                String.format(Locale.ROOT, "%08x", ThreadLocalRandom.current().nextInt());
        return new Place(address.jdbcUrl(), address.user(), address.password(), "sweep_bench_" + suffix);
    }

    private static void pause(StopSignal stop, Duration time) throws InterruptedException {
        if (stop.await(time)) {
            throw new CliException(ExitCode.FAILED, "stopped");
        }
    }

    private void report(BenchResult result) {
        if (output.isJson()) {
            output.out().println(JsonText.line(result.json()));
            output.out().flush();
        } else {
            BenchTable.print(result, output.out());
        }
    }
}
