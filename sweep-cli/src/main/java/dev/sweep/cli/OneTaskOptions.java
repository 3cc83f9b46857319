package dev.sweep.cli;

import dev.sweep.Json;
import dev.sweep.NewTask;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code sweep enqueue} that describe one task. */
final class OneTaskOptions {

    static final String HEADING = "%nOne task:%n";

    @Option(names = "--type", paramLabel = "TYPE", description = "What kind of work it is, such as mail.welcome.")
    private @Nullable String type;

    @Option(
            names = "--payload",
            paramLabel = "JSON",
            description = "One JSON value, or @FILE, or - for stdin (default {}).")
    private String payload = "{}";

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
            description = "How many failed attempts are followed by another one, 0 to 1,000,000 (default 3).")
    private @Nullable Integer maxRetries;

    @Option(names = "--header", paramLabel = "NAME=VALUE", description = "Travels beside the payload; repeatable.")
    private Map<String, String> headers = new LinkedHashMap<>();

    /** The task that the options ask for; reads its payload if that is in a file. */
    NewTask<Json> task() throws IOException {
        TaskDraft draft = new TaskDraft();
        draft.type = type;
        draft.payload = InputSource.ofPayload(payload);
        draft.dedupKey = dedupKey;
        draft.priority = priority;
        draft.queue = queue;
        draft.delay = delay;
        draft.dueAt = dueAt;
        draft.maxRetries = maxRetries;
        draft.headers.putAll(headers);
        return draft.task();
    }
}
