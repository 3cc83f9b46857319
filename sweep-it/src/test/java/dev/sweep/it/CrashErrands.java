package dev.sweep.it;

import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Outcome;
import dev.sweep.RetryPolicy;
import dev.sweep.TaskBatch;
import dev.sweep.TaskContext;
import dev.sweep.TaskType;
import dev.sweep.TransactionBatch;
import dev.sweep.TransactionContext;
import dev.sweep.worker.WorkerBuilder;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** What the workers of the crash suite run; each type has one way to end, however often its worker is lost. */
final class CrashErrands {

    /** Succeeds and leaves an effect for each run. */
    static final TaskType<Json> PLAIN = endless("crash.plain");
    /** Succeeds and leaves one effect. */
    static final TaskType<Json> TX = endless("crash.tx");
    /** Throws in its transaction after its effect, twice, then succeeds and leaves one effect. */
    static final TaskType<Json> RETRY = endless("crash.retry");
    /** Snoozes until it has left an effect, then succeeds. */
    static final TaskType<Json> SNOOZE = endless("crash.snooze");
    /** Run many at a time; each succeeds and leaves an effect for each run. */
    static final TaskType<Json> BATCH = endless("crash.batch");
    /** Run many at a time in one transaction; each succeeds and leaves one effect. */
    static final TaskType<Json> BATCH_TX = endless("crash.batch.tx");
    /** Is given up by its handler. */
    static final TaskType<Json> GIVE_UP = endless("crash.give-up");
    /** Fails for good. */
    static final TaskType<Json> FAIL = endless("crash.fail");
    /** Succeeds, leaves one effect and {@link #CHILDREN} children. */
    static final TaskType<Json> FAN_OUT = endless("crash.fan-out");

    static final List<TaskType<Json>> ALL = List.of(PLAIN, TX, RETRY, SNOOZE, BATCH, BATCH_TX, GIVE_UP, FAIL, FAN_OUT);
    static final int FAILURES = 2;
    static final int CHILDREN = 3;
    static final String PARENT = "parent";

    private static final int BATCH_SIZE = 5;
    private static final Duration WORK = Duration.ofMillis(15);

    private final DataSource source;
    private final String schema;
    private final String worker;

    private CrashErrands(DataSource source, String schema, String worker) {
        this.source = source;
        this.schema = schema;
        this.worker = worker;
    }

    /** A connection that is cut is a failure of whoever used it, so there are as many as it takes. */
    private static TaskType<Json> endless(String name) {
        return TaskType.json(name).maxLosses(1_000).maxRetries(1_000);
    }

    static void addTo(WorkerBuilder builder, DataSource source, String schema, String worker) {
        CrashErrands errands = new CrashErrands(source, schema, worker);
        builder.retryPolicy(RetryPolicy.fixed(Duration.ofMillis(50)))
                .handle(PLAIN, (nothing, context) -> errands.plain(context))
                .handleInTransaction(TX, (nothing, context) -> errands.transactional(context))
                .handleInTransaction(RETRY, (nothing, context) -> errands.retry(context))
                .handleForOutcome(SNOOZE, (nothing, context) -> errands.snooze(context))
                .handleBatch(BATCH, BATCH_SIZE, errands::batch)
                .handleBatchInTransaction(BATCH_TX, BATCH_SIZE, errands::batchInTransaction)
                .handleForOutcome(GIVE_UP, (nothing, context) -> errands.end(context, Outcome.cancel("given up")))
                .handleForOutcome(FAIL, (nothing, context) -> errands.end(context, Outcome.fail("never")))
                .handleInTransaction(FAN_OUT, (nothing, context) -> errands.fanOut(context));
    }

    private void plain(TaskContext context) throws SQLException {
        starts(context);
        Errands.leaveEffect(source, schema, context, worker);
    }

    private void transactional(TransactionContext context) throws SQLException {
        starts(context);
        Errands.leaveEffectInTransaction(context.connection(), schema, context, worker);
    }

    private void retry(TransactionContext context) throws SQLException {
        transactional(context);
        if (context.attempt() <= FAILURES) {
            throw new IllegalStateException("attempt " + context.attempt() + " fails, after its effect");
        }
    }

    private Outcome snooze(TaskContext context) throws SQLException {
        starts(context);
        boolean isSecondRun = hasEffect(context);
        Errands.leaveEffect(source, schema, context, worker);
        if (isSecondRun) {
            return Outcome.complete();
        }
        WorkerMain.tell("snoozes " + context.fencingNumber() + " " + context.id());
        return Outcome.snooze(Duration.ofMillis(100));
    }

    private void batch(TaskBatch<Json> batch) throws SQLException {
        for (TaskBatch.Item<Json> item : batch.items()) {
            startsAgain(item.context());
            Errands.leaveEffect(source, schema, item.context(), worker);
        }
    }

    private void batchInTransaction(TransactionBatch<Json> batch) throws SQLException {
        for (TaskBatch.Item<Json> item : batch.items()) {
            startsAgain(item.context());
            Errands.leaveEffectInTransaction(batch.connection(), schema, item.context(), worker);
        }
    }

    /** Tasks of a batch run more than once in an attempt, if the batch fails and they run singly. */
    private static void startsAgain(TaskContext context) {
        WorkerMain.tell("batches " + context.fencingNumber() + " " + context.id());
    }

    private Outcome end(TaskContext context, Outcome outcome) {
        starts(context);
        return outcome;
    }

    private void fanOut(TransactionContext context) throws SQLException {
        transactional(context);
        context.enqueueAll(IntStream.range(0, CHILDREN)
                .<NewTask<?>>mapToObj(child ->
                        PLAIN.with(Errands.NOTHING).header(PARENT, context.id().toString()))
                .toList());
    }

    /** Told before anything is done, so that it is known of whoever is killed afterwards. */
    private static void starts(TaskContext context) {
        WorkerMain.tell("runs " + context.fencingNumber() + " " + context.id());
        LockSupport.parkNanos(WORK.toNanos());
    }

    private boolean hasEffect(TaskContext context) throws SQLException {
        try (Connection connection = source.getConnection();
                PreparedStatement look =
                        connection.prepareStatement("select from \"" + schema + "\".fx where task_id = ?")) {
            look.setLong(1, context.id().value());
            try (ResultSet row = look.executeQuery()) {
                return row.next();
            }
        }
    }
}
