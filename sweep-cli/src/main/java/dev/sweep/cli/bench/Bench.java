package dev.sweep.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/** Runs workloads for contenders on one server, turn by turn: in each round all contenders do the same, one after another. */
public final class Bench {

    private final Place place;
    private final BenchPlan plan;
    private final boolean isOwnServer;
    private final Path folder;
    private final Pause pause;
    private final Consumer<String> remarks;
    private final List<Line> lines = new ArrayList<>();
    private final List<String> leftOut = new ArrayList<>();

    /**
     * A bench.
     *
     * @param place the database; its schema's name begins the names of the schemas that are made in it, and dropped
     * @param isOwnServer whether the server is the bench's own, so that its settings may be changed for a while
     * @param folder where the processes write their logs
     * @param remarks hears what is being done, for people
     */
    public Bench(Place place, BenchPlan plan, boolean isOwnServer, Path folder, Pause pause, Consumer<String> remarks) {
        this.place = place;
        this.plan = plan;
        this.isOwnServer = isOwnServer;
        this.folder = folder;
        this.pause = pause;
        this.remarks = remarks;
    }

    /**
     * Runs it all; may be called once.
     *
     * @param baseWorkers above 0: each contender also runs without the plan's load and with so many worker processes, to be
     *     compared to
     * @throws BenchException if a process failed or a count is off
     */
    public BenchResult run(List<Workload> workloads, List<Contender> contenders, int baseWorkers)
            throws SQLException, IOException, InterruptedException {
        try (Connection connection = place.connect()) {
            Surroundings surroundings = Surroundings.of(connection);
            tell(surroundings);
            Meter meter = new Meter(connection, pause);
            if (!meter.seesServer()) {
                remarks.accept(
                        "the server's CPU can't be seen from here: it is on another machine, or there is no /proc");
            }
            Map<Workload, List<Line>> runs = plannedRuns(workloads, entrants(contenders, baseWorkers));
            for (int round = 1; round <= plan.rounds(); round++) {
                for (List<Line> sameWorkload : runs.values()) {
                    for (Line line : sameWorkload) {
                        run(line, round, meter);
                    }
                }
            }
            return new BenchResult(surroundings, plan, lines, leftOut);
        }
    }

    private void tell(Surroundings surroundings) {
        List<String> facts = new ArrayList<>();
        surroundings.facts().forEach((name, value) -> facts.add(name + "=" + value));
        remarks.accept(String.join(" ", facts));
        if (!surroundings.isDurable()) {
            remarks.accept(
                    "WARNING: fsync or synchronous_commit is off: commits are NOT durable here, and nothing that is"
                            + " measured holds for a server that keeps what it is told");
        }
    }

    private List<Entrant> entrants(List<Contender> contenders, int baseWorkers) {
        List<Entrant> entrants = new ArrayList<>();
        for (Contender contender : contenders) {
            entrants.add(new Entrant(contender, plan.load(), plan.workers(), false));
            if (baseWorkers > 0) {
                entrants.add(new Entrant(contender, Load.NONE, baseWorkers, true));
            }
        }
        return entrants;
    }

    private Map<Workload, List<Line>> plannedRuns(List<Workload> workloads, List<Entrant> entrants) {
        Map<Workload, List<Line>> runs = new LinkedHashMap<>();
        for (Workload workload : workloads) {
            for (Entrant entrant : entrants) {
                Optional<String> obstacle = entrant.obstacle(workload, isOwnServer);
                if (obstacle.isEmpty()) {
                    Line line = new Line(workload, entrant);
                    lines.add(line);
                    runs.computeIfAbsent(workload, any -> new ArrayList<>()).add(line);
                } else {
                    leftOut.add(workload.name() + " of " + entrant.label() + ": " + obstacle.get());
                }
            }
        }
        leftOut.forEach(remark -> remarks.accept("left out: " + remark));
        return runs;
    }

    private void run(Line line, int round, Meter meter) throws SQLException, IOException, InterruptedException {
        String schema = place.schema() + "_" + line.entrant().contender().name().replace('-', '_');
        try (Arena arena = new Arena(line.entrant(), plan, place.in(schema), meter, folder, pause)) {
            Figures figures = line.workload().run(arena);
            line.add(figures);
            Figure answer = line.workload().answer();
            OptionalDouble value = figures.get(answer);
            remarks.accept("round " + round + " of " + plan.rounds() + ", "
                    + line.workload().name() + ", "
                    + line.entrant().label() + ": "
                    + (value.isEmpty()
                            ? "n/a"
                            : String.format(Locale.ROOT, "%,." + answer.decimals() + "f", value.getAsDouble()))
                    + " " + answer.key());
        }
    }
}
