package dev.sweep;

import dev.sweep.spi.AdminStore;
import dev.sweep.spi.MigratableStore;
import dev.sweep.spi.PayloadCodec;
import dev.sweep.spi.TaskRecord;
import dev.sweep.spi.TaskStore;
import dev.sweep.spi.WakeUp;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The door to a task store: enqueues tasks, finds them, counts them and cancels them. Thread-safe; one instance serves a
 * whole application. It owns no threads; closing it closes the store.
 *
 * <p>All methods block for one or a few round trips. They throw {@link InvalidTaskException} or
 * {@link InvalidPayloadException} before anything is written, {@link SchemaException} if the schema is missing or too
 * old, and {@link StoreUnavailableException} if the database can't serve now.
 */
public final class Sweep implements AutoCloseable {

    static final int CHUNK = 1_000;

    private final TaskStore store;
    private final PayloadCodec codec;
    private final PayloadGate gate;
    private final List<TaskInterceptor> interceptors;
    private final Announcements announcements;

    Sweep(TaskStore store, PayloadCodec codec, PayloadGate gate, List<TaskInterceptor> interceptors) {
        this.store = store;
        this.codec = codec;
        this.gate = gate;
        this.interceptors = List.copyOf(interceptors);
        this.announcements = new Announcements(store);
    }

    /** With the default codec (Jackson) and payloads of at most 1 MiB. */
    public static Sweep create(TaskStore store) {
        return builder(store).build();
    }

    public static SweepBuilder builder(TaskStore store) {
        return new SweepBuilder(store);
    }

    /**
     * Brings the schema of the store to the version that this code needs; does nothing where it is there. Safe while
     * others migrate, enqueue and work. A store without a schema of its own has nothing to do.
     */
    public void migrate() {
        if (store instanceof MigratableStore migratable) {
            migratable.migrate();
        }
    }

    /**
     * Checks what an enqueue would check, and writes nothing: values are checked when a {@link NewTask} is made, so this
     * is about the payload.
     */
    public void check(NewTask<?> task) {
        recordOf(task);
    }

    /** Enqueues one task in a transaction of its own; it is durable when this returns, and workers are told. */
    public Enqueued enqueue(NewTask<?> task) {
        return enqueueRecords(List.of(recordOf(task))).get(0);
    }

    /**
     * Enqueues one task in the caller's transaction: it exists if and only if that commits. Nothing is committed here, so
     * workers find it at their next poll, or at once if {@link #announce} follows the commit.
     *
     * @param tx an open connection; with autocommit on, the task is durable when this returns, and workers are told
     */
    public Enqueued enqueue(Connection tx, NewTask<?> task) {
        return enqueueRecords(tx, List.of(recordOf(task))).get(0);
    }

    /**
     * Enqueues any number of tasks in one transaction of its own: all or none. Workers are told once.
     *
     * @return one answer per task, in the order of the input
     */
    public List<Enqueued> enqueueAll(Collection<? extends NewTask<?>> tasks) {
        List<TaskRecord> records = recordsOf(tasks);
        return records.isEmpty() ? List.of() : enqueueRecords(records);
    }

    /**
     * Enqueues any number of tasks in the caller's transaction, set-based. Nothing is committed here; workers are told as
     * {@link #enqueue(Connection, NewTask)} says.
     *
     * @return one answer per task, in the order of the input
     */
    public List<Enqueued> enqueueAll(Connection tx, Collection<? extends NewTask<?>> tasks) {
        List<TaskRecord> records = recordsOf(tasks);
        return records.isEmpty() ? List.of() : enqueueRecords(tx, records);
    }

    /**
     * Enqueues tasks as they come, in chunks of up to {@value #CHUNK}, each in a transaction of its own: memory stays flat,
     * whatever their number. If the stream, one of its tasks or the database fails, the chunks that were told are stored,
     * and nothing of the others is; with dedup keys all of it can be run again.
     *
     * @param stored is told the answers of each chunk once it is durable, in the order of the input; what it throws ends
     *     the run
     */
    public void enqueueStream(Stream<? extends NewTask<?>> tasks, Consumer<? super List<Enqueued>> stored) {
        new RecordChunks(tasks.map(this::recordOf).iterator())
                .forEachRemaining(chunk -> stored.accept(enqueueRecords(chunk)));
    }

    /**
     * Enqueues tasks as they come in the caller's transaction: all or none, in chunks of up to {@value #CHUNK}, so that
     * memory stays flat. Nothing is committed here; workers are told as {@link #enqueue(Connection, NewTask)} says. Dedup
     * keys are taken in the order of the stream, so two transactions that stream the same keys should do so in the same
     * order, or one may be ended as a deadlock.
     *
     * @param written is told the answers of each chunk, in the order of the input
     */
    public void enqueueStream(
            Connection tx, Stream<? extends NewTask<?>> tasks, Consumer<? super List<Enqueued>> written) {
        new RecordChunks(tasks.map(this::recordOf).iterator())
                .forEachRemaining(chunk -> written.accept(enqueueRecords(tx, chunk)));
    }

    /**
     * Tells workers that tasks wait in these queues: to be called <em>after</em> the commit of a transaction of yours that
     * enqueued, such as from an after-commit callback. Without it they are found at the next poll. Returns at once, never
     * throws, and costs little if there was nothing to tell.
     *
     * @param queues their names, such as {@link TaskType#queue()}
     */
    public void announce(String... queues) {
        for (String queue : queues) {
            announcements.announce(new WakeUp.NewTasks(Bounds.text("queue", queue, Bounds.MAX_NAME_BYTES)));
        }
    }

    /** The task as it stands now; empty if there is none with this id, or its retention is over. */
    public Optional<Task> find(TaskId id) {
        return store.find(id);
    }

    /**
     * Waits until the task has ended, looking at it every 20 ms at first and once a second in the end.
     *
     * @return the ended task; empty if it has not ended within the timeout, also if there is no such task: the transaction
     *     that enqueues it may not have committed yet
     */
    public Optional<Task> awaitEnd(TaskId id, Duration timeout) throws InterruptedException {
        Duration bounded = Bounds.duration("timeout", timeout, Duration.ZERO, Bounds.MAX_DELAY);
        return new EndWatch(store).await(Bounds.given("task id", id), bounded);
    }

    /**
     * What the task's handler returned with {@link Outcome#complete(Object)}; empty if there is no such task, it has not
     * succeeded, or its handler returned nothing.
     *
     * @throws InvalidPayloadException if the result doesn't fit the class
     */
    public <R> Optional<R> result(TaskId id, Class<R> resultClass) {
        return find(id).flatMap(Task::result).map(json -> codec.decode(json, resultClass));
    }

    /** The tasks that match, newest first. */
    public List<Task> list(TaskQuery query) {
        return store.list(query);
    }

    /** One row per status. */
    public List<StatusCount> counts() {
        return store.counts();
    }

    /**
     * Cancels the task unless it has ended; its running attempt's outcome is then refused, and workers are told to stop it.
     * Repeating it changes nothing.
     *
     * @return the status that the task has now: {@link TaskStatus#CANCELLED}, or how it had ended; empty if there is no
     *     such task
     * @throws TransactionConflictException if another transaction held the task for two seconds, such as one that has its
     *     outcome and does not commit; nothing was changed, try again
     */
    public Optional<TaskStatus> cancel(TaskId id) {
        Optional<TaskStatus> status = store.cancel(id);
        if (status.filter(TaskStatus.CANCELLED::equals).isPresent()) {
            announcements.announce(new WakeUp.TasksCancelled());
        }
        return status;
    }

    /** No worker claims from this queue until it is resumed; attempts under way go on. Repeating it changes nothing. */
    public void pauseQueue(String queue) {
        store.pauseQueue(Bounds.text("queue", queue, Bounds.MAX_NAME_BYTES));
    }

    /** Workers claim from this queue again. Repeating it changes nothing. */
    public void resumeQueue(String queue) {
        store.resumeQueue(Bounds.text("queue", queue, Bounds.MAX_NAME_BYTES));
        announcements.announce(new WakeUp.TasksReturned(queue));
    }

    /**
     * What people do to tasks by hand.
     *
     * @throws UnsupportedOperationException if the store has none of it
     */
    public TaskAdmin admin() {
        if (store instanceof AdminStore administrable) {
            return new TaskAdmin(administrable, announcements);
        }
        throw new UnsupportedOperationException("the store " + store.getClass().getName()
                + " can't change tasks by hand; let it implement AdminStore, or use a store that does");
    }

    /** For workers and extensions: the store behind this instance. */
    public TaskStore store() {
        return store;
    }

    /** For workers and extensions: how payloads become JSON and back. */
    public PayloadCodec codec() {
        return codec;
    }

    /** For workers and extensions: what a handler returned, as JSON text that passes for a payload. */
    public String encodeResult(String type, Object result) {
        String json = codec.encode(result);
        gate.checkResult(type, json);
        return json;
    }

    /** For workers and extensions: the code around every run, outermost first. */
    public List<TaskInterceptor> interceptors() {
        return interceptors;
    }

    @Override
    public void close() {
        store.close();
    }

    private List<Enqueued> enqueueRecords(List<TaskRecord> records) {
        return announcements.enqueued(records, store.enqueue(records));
    }

    private List<Enqueued> enqueueRecords(Connection tx, List<TaskRecord> records) {
        return announcements.enqueued(tx, records, store.enqueue(tx, records));
    }

    private List<TaskRecord> recordsOf(Collection<? extends NewTask<?>> tasks) {
        List<TaskRecord> records = new ArrayList<>(tasks.size());
        for (NewTask<?> task : tasks) {
            records.add(recordOf(task));
        }
        return records;
    }

    private TaskRecord recordOf(NewTask<?> task) {
        NewTask<?> intercepted = Bounds.given("task", task);
        for (TaskInterceptor interceptor : interceptors) {
            intercepted = Bounds.given("the task that an interceptor returned", interceptor.beforeEnqueue(intercepted));
        }
        String payload = codec.encode(intercepted.payload());
        gate.checkPayload(intercepted.type().name(), payload);
        return TaskRecord.of(intercepted, payload);
    }
}
