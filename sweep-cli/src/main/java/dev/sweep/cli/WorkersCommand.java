package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.KnownWorker;
import dev.sweep.WorkerPresence;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sweep workers}: which workers run, or ran not long ago. */
@Command(
        name = "workers",
        header = "Show the workers that run, or ran not long ago, the latest start first.",
        description = "A worker shows itself every half minute. One that vanished has not stopped and was not seen for"
                + " longer. Maintenance forgets those that are gone for a day.",
        footer = {"  sweep workers", "  sweep workers --json | jq '.[] | select(.stoppedAt == null).name'"})
final class WorkersCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 1;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        List<KnownWorker> workers;
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            workers = opened.sweep().admin().workers();
        }
        if (output.isJson()) {
            output.out().println(JsonText.line(json(workers)));
        } else {
            table(workers).print(output.out());
        }
        return ExitCode.OK;
    }

    private static ArrayNode json(List<KnownWorker> workers) {
        ArrayNode json = JsonText.array();
        for (KnownWorker worker : workers) {
            WorkerPresence presence = worker.presence();
            ObjectNode one = json.addObject()
                    .put("name", presence.name())
                    .put("host", presence.host())
                    .put("pid", presence.pid())
                    .put("version", presence.version())
                    .put("slots", presence.slots())
                    .put("listening", presence.listening())
                    .put("startedAt", worker.startedAt().toString())
                    .put("seenAt", worker.seenAt().toString())
                    .put("stoppedAt", worker.stoppedAt().map(Instant::toString).orElse(null));
            presence.queues().forEach(one.putArray("queues")::add);
            presence.types().forEach(one.putArray("types")::add);
        }
        return json;
    }

    private static Table table(List<KnownWorker> workers) {
        Table table = new Table(
                Table.left("WORKER"),
                Table.left("HOST"),
                Table.right("PID"),
                Table.right("SLOTS"),
                Table.left("STATE"),
                Table.left("STARTED"),
                Table.left("SEEN"),
                Table.left("QUEUES"),
                Table.left("TYPES"));
        for (KnownWorker worker : workers) {
            WorkerPresence presence = worker.presence();
            table.row(
                    presence.name(),
                    presence.host(),
                    Long.toString(presence.pid()),
                    Integer.toString(presence.slots()),
                    worker.stoppedAt().isPresent() ? "stopped" : presence.listening(),
                    toSeconds(worker.startedAt()),
                    toSeconds(worker.seenAt()),
                    String.join(", ", presence.queues()),
                    String.join(", ", presence.types()));
        }
        return table;
    }

    private static String toSeconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
