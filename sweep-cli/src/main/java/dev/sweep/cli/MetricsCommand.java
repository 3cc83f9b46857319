package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.maintenance.Gauge;
import dev.sweep.maintenance.Gauge.Sample;
import dev.sweep.maintenance.Gauges;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sweep metrics}: the gauges of an installation as Prometheus reads them. */
@Command(
        name = "metrics",
        header = "Print the gauges of dashboards and alerts in Prometheus' text format.",
        description =
                "Once; for the textfile collector of the node exporter, or a wrapper that serves it. With --json: one"
                        + " object with a member metrics.",
        footer = {"  sweep metrics", "  sweep metrics > sweep.prom.new && mv sweep.prom.new sweep.prom"})
final class MetricsCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 1;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        List<Gauge> gauges;
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            gauges = Gauges.of(opened.store()).read();
        }
        if (output.isJson()) {
            output.out().println(JsonText.line(json(gauges)));
        } else {
            output.out().print(Gauges.prometheusText(gauges));
        }
        output.out().flush();
        return ExitCode.OK;
    }

    private static ObjectNode json(List<Gauge> gauges) {
        ObjectNode json = JsonText.object();
        ArrayNode metrics = json.putArray("metrics");
        for (Gauge gauge : gauges) {
            for (Sample sample : gauge.samples()) {
                ObjectNode metric = metrics.addObject();
                metric.put("name", gauge.name());
                ObjectNode labels = metric.putObject("labels");
                sample.labels().forEach(labels::put);
                metric.put("value", sample.value());
            }
        }
        return json;
    }
}
