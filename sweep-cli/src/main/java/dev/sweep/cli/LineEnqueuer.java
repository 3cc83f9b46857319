package dev.sweep.cli;

import dev.sweep.Enqueued;
import dev.sweep.InvalidPayloadException;
import dev.sweep.InvalidTaskException;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Sweep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Enqueues tasks from lines of JSON, batch by batch, each batch in one transaction. At the first wrong line it stops: the
 * lines of that batch are not stored, those of earlier ones are, and the counts say how many. Long lines make small
 * batches.
 */
final class LineEnqueuer {

    /** A batch this long is full, however few its lines: while it is stored it is in memory several times. */
    static final int FULL_BATCH_CHARS = 8 << 20;

    private final Sweep sweep;
    private final int batchSize;
    private final ProgressLine progress;
    private final TaskLineParser parser = new TaskLineParser();
    private long enqueued;
    private long duplicates;

    LineEnqueuer(Sweep sweep, int batchSize, ProgressLine progress) {
        this.sweep = sweep;
        this.batchSize = batchSize;
        this.progress = progress;
    }

    /** Tasks stored so far; right also after an error. */
    long enqueued() {
        return enqueued;
    }

    /** Lines so far whose dedup key was taken; right also after an error. */
    long duplicates() {
        return duplicates;
    }

    /** Enqueues all lines; a {@link CliException} names the wrong one. */
    void enqueue(TaskLines lines) throws IOException {
        List<Numbered> batch = readBatch(lines);
        while (!batch.isEmpty()) {
            store(batch);
            progress.show(() -> enqueued + " enqueued, " + duplicates + " duplicates");
            batch = readBatch(lines);
        }
        progress.clear();
    }

    private List<Numbered> readBatch(TaskLines lines) throws IOException {
        List<Numbered> batch = new ArrayList<>();
        long chars = 0;
        try {
            Optional<String> line = lines.next();
            while (line.isPresent()) {
                batch.add(new Numbered(lines.number(), parser.parse(line.get())));
                chars += line.get().length();
                boolean isFull = batch.size() == batchSize || chars >= FULL_BATCH_CHARS;
                line = isFull ? Optional.empty() : lines.next();
            }
        } catch (CliException | InvalidTaskException wrong) {
            throw wrongLine(lines.number(), wrong);
        }
        return batch;
    }

    private void store(List<Numbered> batch) {
        try {
            for (Enqueued answer :
                    sweep.enqueueAll(batch.stream().map(Numbered::task).toList())) {
                if (answer.isNew()) {
                    enqueued++;
                } else {
                    duplicates++;
                }
            }
        } catch (InvalidPayloadException wrong) {
            throw wrongLine(lineOfInvalidPayload(batch), wrong);
        }
    }

    /** Which line the batch was refused for: nothing of it was written, so looking again is safe. */
    private long lineOfInvalidPayload(List<Numbered> batch) {
        for (Numbered line : batch) {
            try {
                sweep.check(line.task());
            } catch (InvalidPayloadException wrong) {
                return line.number();
            }
        }
        throw new IllegalStateException("a batch was refused for a payload, but each of its payloads is accepted");
    }

    private static CliException wrongLine(long number, RuntimeException wrong) {
        return new CliException(ExitCode.BAD_INPUT, "line " + number + ": " + wrong.getMessage(), wrong);
    }

    private record Numbered(long number, NewTask<Json> task) {}
}
