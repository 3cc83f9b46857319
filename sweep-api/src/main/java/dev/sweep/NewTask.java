package dev.sweep;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A task that is about to be enqueued. Immutable: every method returns a changed copy. Each value is checked where it is
 * given, so a task that exists can be stored.
 *
 * @param <P> the payload class of its type
 */
public final class NewTask<P> {

    private final TaskType<P> type;
    private final P payload;
    private final String queue;
    private final int priority;
    private final int maxRetries;
    private final @Nullable Instant dueAt;
    private final Duration delay;
    private final Duration spread;
    private final @Nullable DedupKey dedupKey;
    private final OnDuplicate onDuplicate;
    private final Map<String, String> headers;

    private NewTask(Draft<P> draft) {
        this.type = draft.type;
        this.payload = draft.payload;
        this.queue = draft.queue;
        this.priority = draft.priority;
        this.maxRetries = draft.maxRetries;
        this.dueAt = draft.dueAt;
        this.delay = draft.delay;
        this.spread = draft.spread;
        this.dedupKey = draft.dedupKey;
        this.onDuplicate = draft.onDuplicate;
        this.headers = Map.copyOf(draft.headers);
        if (dueAt != null) {
            Bounds.dueAt(dueAt.plus(spread));
        }
    }

    static <P> NewTask<P> of(TaskType<P> type, @Nullable P payload) {
        if (payload == null) {
            throw new InvalidTaskException(
                    "the payload of a task of type " + type + " is null; pass an object, if need be an empty one");
        }
        return new NewTask<>(new Draft<>(type, payload));
    }

    /** Enqueue at most once under this key; it stays taken as long as the task's row exists. */
    public NewTask<P> dedupKey(String key) {
        return dedupKey(DedupKey.of(key));
    }

    /** Enqueue at most once under this key, within the key's scope. */
    public NewTask<P> dedupKey(DedupKey key) {
        Draft<P> draft = new Draft<>(this);
        draft.dedupKey = Bounds.given("dedup key", key);
        return new NewTask<>(draft);
    }

    /** What to do if the dedup key is taken; the default is {@link OnDuplicate#KEEP_EXISTING}. */
    public NewTask<P> onDuplicate(OnDuplicate onDuplicate) {
        Draft<P> draft = new Draft<>(this);
        draft.onDuplicate = Bounds.given("on duplicate", onDuplicate);
        return new NewTask<>(draft);
    }

    /** 1 to 10; 10 is the most urgent. */
    public NewTask<P> priority(int priority) {
        Draft<P> draft = new Draft<>(this);
        draft.priority = Bounds.priority(priority);
        return new NewTask<>(draft);
    }

    /** The queue whose workers run it, 1 to 200 bytes of UTF-8. */
    public NewTask<P> queue(String queue) {
        Draft<P> draft = new Draft<>(this);
        draft.queue = Bounds.text("queue", queue, Bounds.MAX_NAME_BYTES);
        return new NewTask<>(draft);
    }

    /** How many failed attempts are followed by a retry; 0 means one attempt. */
    public NewTask<P> maxRetries(int maxRetries) {
        Draft<P> draft = new Draft<>(this);
        draft.maxRetries = Bounds.maxRetries(maxRetries);
        return new NewTask<>(draft);
    }

    /** Due at this instant of the database's clock, between the years 2000 and 2200; one in the past is due at once. */
    public NewTask<P> dueAt(Instant dueAt) {
        Draft<P> draft = new Draft<>(this);
        draft.dueAt = Bounds.dueAt(dueAt);
        draft.delay = Duration.ZERO;
        return new NewTask<>(draft);
    }

    /** Due when this time has passed since the enqueue, by the database's clock; zero to 3,650 days. */
    public NewTask<P> delay(Duration delay) {
        Draft<P> draft = new Draft<>(this);
        draft.delay = Bounds.duration("delay", delay, Duration.ZERO, Bounds.MAX_DELAY);
        draft.dueAt = null;
        return new NewTask<>(draft);
    }

    /**
     * Due up to this much later than it else would be, by a random time that is drawn at the enqueue: many tasks that are
     * due together don't all start at one moment. Zero to 3,650 days.
     */
    public NewTask<P> spread(Duration spread) {
        Draft<P> draft = new Draft<>(this);
        draft.spread = Bounds.duration("spread", spread, Duration.ZERO, Bounds.MAX_DELAY);
        return new NewTask<>(draft);
    }

    /**
     * Adds a header: short text that travels beside the payload, for tracing, tenants and the like. At most 50 headers;
     * a name has 1 to 200 bytes, a value up to 4,096.
     */
    public NewTask<P> header(String name, String value) {
        Draft<P> draft = new Draft<>(this);
        draft.headers.put(
                Bounds.text("header name", name, Bounds.MAX_NAME_BYTES),
                Bounds.storable("header " + name, value, Bounds.MAX_HEADER_BYTES));
        if (draft.headers.size() > Bounds.MAX_HEADERS) {
            throw new InvalidTaskException("a task of type " + type + " has more than " + Bounds.MAX_HEADERS
                    + " headers; put what belongs to the work into the payload");
        }
        return new NewTask<>(draft);
    }

    public TaskType<P> type() {
        return type;
    }

    public P payload() {
        return payload;
    }

    public String queue() {
        return queue;
    }

    public int priority() {
        return priority;
    }

    public int maxRetries() {
        return maxRetries;
    }

    /** The due instant, if one was given rather than a delay. */
    public Optional<Instant> dueAt() {
        return Optional.ofNullable(dueAt);
    }

    /** The delay after the enqueue; zero unless given. */
    public Duration delay() {
        return delay;
    }

    /** The bound of the random time by which it is due later. */
    public Duration spread() {
        return spread;
    }

    public Optional<DedupKey> dedupKey() {
        return Optional.ofNullable(dedupKey);
    }

    public OnDuplicate onDuplicate() {
        return onDuplicate;
    }

    public Map<String, String> headers() {
        return headers;
    }

    /** Without the payload: it may hold what must not be logged. */
    @Override
    public String toString() {
        return "NewTask[type=" + type + ", queue=" + queue + ", priority=" + priority + "]";
    }

    /** The values of a copy while it is being changed. */
    private static final class Draft<P> {
        private final TaskType<P> type;
        private final P payload;
        private String queue;
        private int priority;
        private int maxRetries;
        private @Nullable Instant dueAt;
        private Duration delay = Duration.ZERO;
        private Duration spread = Duration.ZERO;
        private @Nullable DedupKey dedupKey;
        private OnDuplicate onDuplicate = OnDuplicate.KEEP_EXISTING;
        private final Map<String, String> headers;

        private Draft(TaskType<P> type, P payload) {
            this.type = type;
            this.payload = Objects.requireNonNull(payload);
            this.queue = type.queue();
            this.priority = type.priority();
            this.maxRetries = type.maxRetries();
            this.headers = new LinkedHashMap<>();
        }

        private Draft(NewTask<P> task) {
            this.type = task.type;
            this.payload = task.payload;
            this.queue = task.queue;
            this.priority = task.priority;
            this.maxRetries = task.maxRetries;
            this.dueAt = task.dueAt;
            this.delay = task.delay;
            this.spread = task.spread;
            this.dedupKey = task.dedupKey;
            this.onDuplicate = task.onDuplicate;
            this.headers = new LinkedHashMap<>(task.headers);
        }
    }
}
