package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Sweep;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sweep enqueue}: one task from options, or many from lines of JSON. */
@Command(
        name = "enqueue",
        header = "Enqueue one task by options, or many from lines of JSON.",
        description = {
            "A line of JSON is one task; type and payload are needed, the rest is optional:",
            "  {\"type\":\"mail\",\"payload\":{\"to\":\"a@b.c\"},\"dedupKey\":\"mail:1\",",
            "   \"priority\":5,\"queue\":\"default\",\"maxRetries\":3,\"delay\":\"10s\",",
            "   \"headers\":{\"tenant\":\"7\"}}",
            "or \"dueAt\":\"2030-01-31T08:00:00Z\" instead of a delay. Blank lines are skipped."
                    + " Lines are stored in batches, each in one transaction. At a wrong line it stops and names it:"
                    + " nothing of its batch is stored, earlier batches are. With dedup keys, running it again is safe."
        },
        footer = {
            "  sweep enqueue --type mail --payload '{\"to\":\"a@b.c\"}' --dedup-key mail:1",
            "  sweep enqueue --type report --payload @report.json --delay 2h --priority 7",
            "  sweep enqueue --file tasks.jsonl",
            "  generate-tasks | sweep enqueue --file - --json"
        })
final class EnqueueCommand implements Callable<Integer> {

    private static final int MAX_BATCH = 10_000;
    private static final int CONNECTIONS = 2;

    @Option(
            names = "--file",
            paramLabel = "FILE",
            description = "Many tasks: read lines of JSON from a file, or - for stdin.")
    private @Nullable String file;

    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "With --file: how many lines are one transaction, 1 to 10,000 (default ${DEFAULT-VALUE});"
                    + " fewer if they are long.")
    private int batch = 1_000;

    @Mixin
    private OutputOptions output;

    /** Null: none of its options is given. */
    @ArgGroup(validate = false, heading = OneTaskOptions.HEADING)
    private @Nullable OneTaskOptions oneTask;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() throws IOException {
        if (file != null) {
            return enqueueLines(file);
        }
        if (oneTask == null) {
            throw CliException.badInput("say what to enqueue: --type and --payload for one task, or --file for many");
        }
        NewTask<Json> task = oneTask.task();
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            return enqueueOne(opened.sweep(), task);
        }
    }

    private int enqueueOne(Sweep sweep, NewTask<Json> task) {
        Enqueued answer = sweep.enqueue(task);
        ObjectNode json = JsonText.object();
        json.put("id", answer.id().value());
        json.put("new", answer.isNew());
        String fate = answer.isNew() ? " enqueued" : " already has the dedup key; nothing was enqueued";
        output.result(json, "task " + answer.id() + fate);
        return ExitCode.OK;
    }

    private int enqueueLines(String source) throws IOException {
        if (oneTask != null) {
            throw CliException.badInput("with --file every line says all about its task; leave the options about one"
                    + " task out, or leave --file out");
        }
        if (batch < 1 || batch > MAX_BATCH) {
            throw CliException.badInput("--batch " + batch + " is out of range; use 1 to " + MAX_BATCH);
        }
        try (InputStream input = InputSource.open(source);
                OpenSweep opened = database.open(CONNECTIONS)) {
            ProgressLine progress = ProgressLine.onTerminal(output.err());
            LineEnqueuer enqueuer = new LineEnqueuer(opened.sweep(), batch, progress);
            try {
                enqueuer.enqueue(new TaskLines(input));
            } catch (RuntimeException | IOException stopped) {
                progress.clear();
                report(enqueuer, stopped);
                throw stopped;
            }
            report(enqueuer, null);
            return ExitCode.OK;
        }
    }

    private void report(LineEnqueuer enqueuer, @Nullable Exception stopped) {
        ObjectNode json = JsonText.object();
        json.put("enqueued", enqueuer.enqueued());
        json.put("duplicates", enqueuer.duplicates());
        String counts = enqueuer.enqueued() + " enqueued, " + enqueuer.duplicates() + " duplicates";
        if (stopped == null) {
            output.result(json, counts);
            return;
        }
        json.put("error", FaultReport.message(stopped));
        String stored = enqueuer.enqueued() == 0
                ? counts + " before the error; nothing was stored"
                : counts + " before the error, and these are stored; of the batch with the error nothing is."
                        + " Running it again is safe for lines with a dedup key";
        output.result(json, stored);
    }
}
