package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Sweep;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sweep enqueue}: one task from options, or many from lines of JSON. */
@Command(
        name = "enqueue",
        header = "Enqueue one task by options, or many from lines of JSON.",
        description = {
            "A line of JSON is one task; type and payload are needed, the rest is optional:",
            "  {\"type\":\"mail\",\"payload\":{\"to\":\"a@b.c\"},\"dedupKey\":\"mail:1\",\"priority\":5,",
            "   \"queue\":\"default\",\"delay\":\"10s\",\"dueAt\":\"2030-01-31T08:00:00Z\",\"maxRetries\":3,",
            "   \"headers\":{\"tenant\":\"7\"}}",
            "Blank lines are skipped. Lines are stored in batches, each in one transaction. At a wrong line it stops and",
            "names it: nothing of its batch is stored, earlier batches are. With dedup keys, running it again is safe."
        },
        footer = {
            "  sweep enqueue --type mail --payload '{\"to\":\"a@b.c\"}' --dedup-key mail:1",
            "  sweep enqueue --type report --payload @report.json --delay 2h --priority 7",
            "  sweep enqueue --file tasks.jsonl",
            "  generate-tasks | sweep enqueue --file - --json"
        })
final class EnqueueCommand implements Callable<Integer> {

    private static final int MAX_BATCH = 10_000;
    private static final int CONNECTIONS = 1;

    @Option(names = "--file", paramLabel = "FILE", description = "Read lines of JSON from a file, or - for stdin.")
    private @Nullable String file;

    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "With --file: how many lines are one transaction, 1 to 10,000 (default ${DEFAULT-VALUE}).")
    private int batch = 1_000;

    @Option(names = "--type", paramLabel = "TYPE", description = "What kind of work it is, such as mail.welcome.")
    private @Nullable String type;

    @Option(
            names = "--payload",
            paramLabel = "JSON",
            description = "One JSON value, or @FILE, or - for stdin (default {}).")
    private @Nullable String payload;

    @Option(
            names = "--dedup-key",
            paramLabel = "KEY",
            description = "Enqueue only if no task has this key; answers with the task that has it.")
    private @Nullable String dedupKey;

    @Option(names = "--priority", paramLabel = "1..10", description = "10 is the most urgent (default 1).")
    private @Nullable Integer priority;

    @Option(names = "--queue", paramLabel = "QUEUE", description = "Whose workers run it (default: default).")
    private @Nullable String queue;

    @Option(
            names = "--delay",
            paramLabel = "DURATION",
            converter = DurationConverter.class,
            description = "Due this long after now: 10s, 5m, 2h, PT1H30M.")
    private @Nullable Duration delay;

    @Option(
            names = "--due-at",
            paramLabel = "INSTANT",
            converter = InstantConverter.class,
            description = "Due at this instant: 2030-01-31T08:00:00Z.")
    private @Nullable Instant dueAt;

    @Option(
            names = "--max-retries",
            paramLabel = "N",
            description = "How many failed attempts are followed by another one (default 3).")
    private @Nullable Integer maxRetries;

    @Option(names = "--header", paramLabel = "NAME=VALUE", description = "Travels beside the payload; repeatable.")
    private Map<String, String> headers = new LinkedHashMap<>();

    @Mixin
    private DatabaseOptions database;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() throws IOException {
        if (file != null) {
            return enqueueLines(file);
        }
        NewTask<Json> task = taskOfOptions();
        try (OpenSweep opened = open()) {
            return enqueueOne(opened.sweep(), task);
        }
    }

    private int enqueueOne(Sweep sweep, NewTask<Json> task) {
        Enqueued answer = sweep.enqueue(task);
        ObjectNode json = JsonText.object();
        json.put("id", answer.id().value());
        json.put("new", answer.isNew());
        String duplicate = answer.isNew() ? "" : " already has the dedup key; nothing was enqueued";
        output.result(json, "task " + answer.id() + (answer.isNew() ? " enqueued" : duplicate));
        return ExitCode.OK;
    }

    private int enqueueLines(String source) throws IOException {
        checkFileOptions();
        try (InputStream input = source.equals("-") ? System.in : open(Path.of(source));
                OpenSweep opened = open()) {
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
        output.result(json, counts + " before the error; these are stored. The batch with the error is not."
                + " Running it again is safe for lines with a dedup key");
    }

    private NewTask<Json> taskOfOptions() throws IOException {
        if (type == null) {
            throw CliException.badInput("say what to enqueue: --type and --payload for one task, or --file for many");
        }
        TaskDraft draft = new TaskDraft();
        draft.type = type;
        draft.payload = payload == null ? "{}" : payloadText(payload);
        draft.dedupKey = dedupKey;
        draft.priority = priority;
        draft.queue = queue;
        draft.delay = delay;
        draft.dueAt = dueAt;
        draft.maxRetries = maxRetries;
        draft.headers.putAll(headers);
        return draft.task();
    }

    private void checkFileOptions() {
        boolean saysTask = type != null
                || payload != null
                || dedupKey != null
                || priority != null
                || queue != null
                || delay != null
                || dueAt != null
                || maxRetries != null
                || !headers.isEmpty();
        if (saysTask) {
            throw CliException.badInput("with --file every line says all about its task; leave the options about one"
                    + " task out, or leave --file out");
        }
        if (batch < 1 || batch > MAX_BATCH) {
            throw CliException.badInput("--batch " + batch + " is out of range; use 1 to " + MAX_BATCH);
        }
    }

    private static String payloadText(String source) throws IOException {
        if (source.equals("-")) {
            return text(System.in, "stdin");
        }
        if (!source.startsWith("@")) {
            return source;
        }
        try (InputStream input = open(Path.of(source.substring(1)))) {
            return text(input, source.substring(1));
        }
    }

    private static String text(InputStream input, String name) throws IOException {
        byte[] bytes = input.readNBytes(TaskLines.MAX_LINE_BYTES + 1);
        if (bytes.length > TaskLines.MAX_LINE_BYTES) {
            throw CliException.badInput("the payload in " + name + " is longer than " + TaskLines.MAX_LINE_BYTES
                    + " bytes; store large data elsewhere and its address in the payload");
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static InputStream open(Path path) throws IOException {
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw CliException.badInput("there is no file '" + path + "' that can be read");
        }
        return Files.newInputStream(path);
    }

    private OpenSweep open() {
        return OpenSweep.open(
                database.address(System.getenv()), database.schema(System.getenv()), CONNECTIONS);
    }
}
