package dev.sweep.testing;

import dev.sweep.InvalidPayloadException;
import dev.sweep.Json;
import dev.sweep.Task;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.spi.PayloadCodec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * API: assertions about one task; see {@link TasksAssert}. Immutable.
 *
 * @param <P> the payload class of its type
 */
public final class TaskAssert<P> {

    private final TaskType<P> type;
    private final PayloadCodec codec;
    private final Task task;

    TaskAssert(TaskType<P> type, PayloadCodec codec, Task task) {
        this.type = type;
        this.codec = codec;
        this.task = task;
    }

    /** Equal as objects are, once read; two {@link Json} texts are equal if they mean the same. */
    public TaskAssert<P> hasPayload(P expected) {
        return check("payload", comparable(expected), comparable(payload()));
    }

    /** 1 to 10; 10 is the most urgent. */
    public TaskAssert<P> hasPriority(int expected) {
        return check("priority", expected, task.priority());
    }

    public TaskAssert<P> isInQueue(String expected) {
        return check("queue", expected, task.queue());
    }

    public TaskAssert<P> hasDedupKey(String expected) {
        return check("dedup key", expected, task.dedupKey().orElse(null));
    }

    public TaskAssert<P> hasHeader(String name, String expected) {
        return check("header " + name, expected, task.headers().get(name));
    }

    public TaskAssert<P> hasMaxRetries(int expected) {
        return check("max retries", expected, task.maxRetries());
    }

    /** Due this long after it was enqueued. */
    public TaskAssert<P> isDueIn(Duration expected) {
        return check("delay since its enqueue", expected, Duration.between(task.createdAt(), task.dueAt()));
    }

    /** Due at this instant, cut to microseconds as stores do. */
    public TaskAssert<P> isDueAt(Instant expected) {
        return check("due time", expected.truncatedTo(ChronoUnit.MICROS), task.dueAt());
    }

    public TaskAssert<P> hasStatus(TaskStatus expected) {
        return check("status", expected.word(), task.status().word());
    }

    /** How many failed attempts were followed by a retry. */
    public TaskAssert<P> hasRetryCount(int expected) {
        return check("retry count", expected, task.retryCount());
    }

    /** The message of its last failure has this in it. */
    public TaskAssert<P> hasErrorContaining(String expected) {
        String error = task.error().orElse("");
        if (!error.contains(expected)) {
            throw new AssertionError("expected " + name() + " to have an error with '" + expected + "' in it, but "
                    + task.error().map(text -> "it is '" + text + "'").orElse("it has none"));
        }
        return this;
    }

    /** What its handler returned, read as an object of the same class, is equal to this. */
    public TaskAssert<P> hasResult(Object expected) {
        return check(
                "result",
                expected,
                task.result().map(json -> read(json, expected.getClass())).orElse(null));
    }

    /** The task, for assertions that this class does not have. */
    public Task task() {
        return task;
    }

    /** The payload, read as a handler gets it. */
    public P payload() {
        return read(task.payload(), type.payloadClass());
    }

    private Object comparable(P payload) {
        return payload instanceof Json json ? read(json.text(), Object.class) : payload;
    }

    private <T> T read(String json, Class<T> payloadClass) {
        try {
            return codec.decode(json, payloadClass);
        } catch (InvalidPayloadException unreadable) {
            throw new AssertionError(name() + ": " + unreadable.getMessage() + "; it is " + json, unreadable);
        }
    }

    private TaskAssert<P> check(String what, Object expected, @Nullable Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError(
                    "expected " + name() + " to have the " + what + " " + expected + ", but it is " + actual);
        }
        return this;
    }

    private String name() {
        return "task " + task.id() + " (type " + type + ")";
    }
}
