package dev.sweep;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The stable name of one kind of work, its payload class, and the defaults of its tasks. Immutable; usually a constant.
 * The name is stored with every task and is how workers find the handler: when you change it, make the former one an
 * {@link #alias} as long as tasks of it wait.
 *
 * @param <P> the payload class: a record, or {@link Json}
 */
public final class TaskType<P> {

    /** Where tasks go that name no queue. */
    public static final String DEFAULT_QUEUE = "default";

    private static final int DEFAULT_PRIORITY = 1;
    private static final int DEFAULT_MAX_RETRIES = 3;
    private static final int DEFAULT_MAX_LOSSES = 5;

    private final String name;
    private final Set<String> aliases;
    private final Class<P> payloadClass;
    private final String queue;
    private final int priority;
    private final int maxRetries;
    private final int maxLosses;

    private TaskType(
            String name,
            Set<String> aliases,
            Class<P> payloadClass,
            String queue,
            int priority,
            int maxRetries,
            int maxLosses) {
        this.name = Bounds.text("task type", name, Bounds.MAX_NAME_BYTES);
        this.aliases = Set.copyOf(aliases);
        this.payloadClass = Bounds.given("payload class", payloadClass);
        this.queue = Bounds.text("queue", queue, Bounds.MAX_NAME_BYTES);
        this.priority = Bounds.priority(priority);
        this.maxRetries = Bounds.maxRetries(maxRetries);
        this.maxLosses = Bounds.maxLosses(maxLosses);
    }

    /**
     * A type whose tasks go to the queue {@code default} with priority 1 (the least urgent), three retries and at most
     * five losses.
     *
     * @param name 1 to 200 bytes of UTF-8, such as {@code email.welcome}
     */
    public static <P> TaskType<P> of(String name, Class<P> payloadClass) {
        return new TaskType<>(
                name, Set.of(), payloadClass, DEFAULT_QUEUE, DEFAULT_PRIORITY, DEFAULT_MAX_RETRIES, DEFAULT_MAX_LOSSES);
    }

    /** A type whose payloads are JSON text. */
    public static TaskType<Json> json(String name) {
        return of(name, Json.class);
    }

    /**
     * The same type under one more name, such as the one it had before: workers with a handler for it also run tasks stored
     * as {@code formerName}, which keep that name in the store, events and logs. Nothing is enqueued under it. Workers that
     * don't know the new name yet leave its tasks to those that do.
     *
     * @param formerName 1 to 200 bytes of UTF-8
     */
    public TaskType<P> alias(String formerName) {
        Set<String> more = new LinkedHashSet<>(aliases);
        more.add(Bounds.text("alias", formerName, Bounds.MAX_NAME_BYTES));
        if (formerName.equals(name)) {
            throw new InvalidTaskException(
                    "alias '" + formerName + "' is the name of the type itself; use the name it had before");
        }
        return new TaskType<>(name, more, payloadClass, queue, priority, maxRetries, maxLosses);
    }

    /** The same type with another default queue, 1 to 200 bytes of UTF-8. */
    public TaskType<P> inQueue(String queue) {
        return new TaskType<>(name, aliases, payloadClass, queue, priority, maxRetries, maxLosses);
    }

    /** The same type with another default priority, 1 to 10; 10 is the most urgent. */
    public TaskType<P> priority(int priority) {
        return new TaskType<>(name, aliases, payloadClass, queue, priority, maxRetries, maxLosses);
    }

    /** The same type with another default for how many failed attempts are followed by a retry; 0 means one attempt. */
    public TaskType<P> maxRetries(int maxRetries) {
        return new TaskType<>(name, aliases, payloadClass, queue, priority, maxRetries, maxLosses);
    }

    /**
     * The same type with another limit of losses: how often a task may be started again after the worker that ran it
     * vanished. 0 is for work that must not start twice: such a task fails when its worker is lost.
     */
    public TaskType<P> maxLosses(int maxLosses) {
        return new TaskType<>(name, aliases, payloadClass, queue, priority, maxRetries, maxLosses);
    }

    /** A task of this type, to be passed to {@link Sweep#enqueue(NewTask)}; nothing is written yet. */
    public NewTask<P> with(P payload) {
        return NewTask.of(this, payload);
    }

    public String name() {
        return name;
    }

    /** The other names under which workers run its tasks. */
    public Set<String> aliases() {
        return aliases;
    }

    public Class<P> payloadClass() {
        return payloadClass;
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

    public int maxLosses() {
        return maxLosses;
    }

    @Override
    public String toString() {
        return name;
    }
}
