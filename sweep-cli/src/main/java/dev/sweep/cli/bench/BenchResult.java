package dev.sweep.cli.bench;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What came of a bench, for machines and for people. */
public final class BenchResult {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final int RATIO_DECIMALS = 3;

    private final Surroundings surroundings;
    private final BenchPlan plan;
    private final List<Line> lines;
    private final List<String> leftOut;

    BenchResult(Surroundings surroundings, BenchPlan plan, List<Line> lines, List<String> leftOut) {
        this.surroundings = surroundings;
        this.plan = plan;
        this.lines = List.copyOf(lines);
        this.leftOut = List.copyOf(leftOut);
    }

    /** Everything: surroundings, sizes, all rounds, medians, ratios. */
    public ObjectNode json() {
        ObjectNode json = JSON.objectNode();
        ObjectNode facts = json.putObject("surroundings");
        surroundings.facts().forEach(facts::put);
        facts.put("durable", surroundings.isDurable());
        putPlan(json.putObject("plan"));
        ObjectNode setups = json.putObject("contenders");
        lines.forEach(line -> setups.put(
                line.entrant().contender().name(), line.entrant().contender().setup()));
        ArrayNode results = json.putArray("results");
        lines.forEach(line -> results.add(json(line)));
        ArrayNode omitted = json.putArray("leftOut");
        leftOut.forEach(omitted::add);
        return json;
    }

    private void putPlan(ObjectNode json) {
        json.put("tasks", plan.tasks());
        json.put("warmUp", plan.warmUp());
        json.put("backlog", plan.load().backlog());
        json.put("finished", plan.load().finished());
        json.put("partitions", plan.load().partitions());
        json.put("pinned", plan.load().isPinned());
        json.put("pinnedForSeconds", plan.load().pinnedFor().toSeconds());
        json.put("workers", plan.workers());
        json.put("concurrency", plan.concurrency());
        json.put("producers", plan.producers());
        json.put("payloadBytes", plan.payloadBytes());
        json.put("rounds", plan.rounds());
        json.put("perSecond", plan.perSecond());
        json.put("seconds", plan.duration().toSeconds());
    }

    private ObjectNode json(Line line) {
        ObjectNode json = JSON.objectNode();
        json.put("workload", line.workload().name());
        json.put("contender", line.entrant().label());
        json.put("workers", line.entrant().workers());
        json.put("answer", line.workload().answer().key());
        ArrayNode rounds = json.putArray("rounds");
        for (Figures round : line.rounds()) {
            ObjectNode figures = rounds.addObject();
            round.forEach((figure, value) -> figures.put(figure.key(), rounded(value, figure.decimals())));
        }
        ObjectNode medians = json.putObject("medians");
        line.statistics()
                .forEach((figure, values) -> medians.put(figure.key(), rounded(values.median(), figure.decimals())));
        ObjectNode ratios = json.putObject("ratios");
        for (Line other : lines) {
            if (line.isComparedTo(other)) {
                ObjectNode ratio = ratios.putObject(other.entrant().label());
                line.ratiosTo(other)
                        .forEach((figure, value) -> ratio.put(figure.key(), rounded(value, RATIO_DECIMALS)));
            }
        }
        return json;
    }

    /** One for each workload and contender, in the order in which they ran. */
    public List<Row> rows() {
        return lines.stream().map(this::row).toList();
    }

    private Row row(Line line) {
        Map<Figure, Statistics> statistics = line.statistics();
        Figure answer = line.workload().answer();
        Statistics values = statistics.get(answer);
        List<String> ratios = new ArrayList<>();
        for (Line other : lines) {
            Double ratio = line.isComparedTo(other) ? line.ratiosTo(other).get(answer) : null;
            if (ratio != null) {
                ratios.add(String.format(
                        Locale.ROOT, "%.2fx %s", ratio, other.entrant().label()));
            }
        }
        return new Row(
                line.workload().name(),
                line.entrant().label(),
                answer.key(),
                values == null ? "n/a" : shown(values.median(), answer),
                values == null ? "n/a" : shown(values.min(), answer) + ".." + shown(values.max(), answer),
                String.join(", ", ratios),
                more(statistics),
                List.of(Figure.WAL_BYTES, Figure.COMMITS, Figure.SERVER_MICROS, Figure.CLIENT_MICROS).stream()
                        .map(figure -> median(statistics, figure))
                        .toList());
    }

    /** The other figures that a workload is about. */
    private static String more(Map<Figure, Statistics> statistics) {
        return List.of(Figure.P95_MILLIS, Figure.P99_MILLIS, Figure.MAX_MILLIS, Figure.BACKLOG).stream()
                .filter(statistics::containsKey)
                .map(figure -> figure.key() + " " + median(statistics, figure))
                .collect(Collectors.joining(", "));
    }

    private static String median(Map<Figure, Statistics> statistics, Figure figure) {
        Statistics values = statistics.get(figure);
        return values == null ? "n/a" : shown(values.median(), figure);
    }

    private static String shown(double value, Figure figure) {
        return String.format(Locale.ROOT, "%,." + figure.decimals() + "f", value);
    }

    private static BigDecimal rounded(double value, int decimals) {
        return BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP);
    }

    /**
     * A line for people; what could not be measured is n/a.
     *
     * @param answer the key of the figure that median and spread are of
     * @param ratios of that figure, each with what it is a ratio to
     * @param more figures that belong to the answer
     * @param costs medians of WAL bytes per task, commits per 100 tasks, the server's and the clients' CPU per task
     */
    public record Row(
            String workload,
            String contender,
            String answer,
            String median,
            String spread,
            String ratios,
            String more,
            List<String> costs) {

        public Row {
            costs = List.copyOf(costs);
        }
    }
}
