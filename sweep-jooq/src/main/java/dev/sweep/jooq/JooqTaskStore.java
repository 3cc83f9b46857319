package dev.sweep.jooq;

import static dev.sweep.jooq.schema.Tables.QUEUE;

import dev.sweep.Enqueued;
import dev.sweep.KnownWorker;
import dev.sweep.StatusCount;
import dev.sweep.Task;
import dev.sweep.TaskChange;
import dev.sweep.TaskFailure;
import dev.sweep.TaskFilter;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskSelection;
import dev.sweep.TaskStatus;
import dev.sweep.WorkerPresence;
import dev.sweep.spi.AdminStore;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Cancellation;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.ConnectionBudget;
import dev.sweep.spi.Failure;
import dev.sweep.spi.Heartbeat;
import dev.sweep.spi.HeartbeatRequest;
import dev.sweep.spi.Listening;
import dev.sweep.spi.MigratableStore;
import dev.sweep.spi.PresenceStore;
import dev.sweep.spi.Reclaimed;
import dev.sweep.spi.Snooze;
import dev.sweep.spi.TaskRecord;
import dev.sweep.spi.TaskStore;
import dev.sweep.spi.TransactionEnd;
import dev.sweep.spi.TransactionalStore;
import dev.sweep.spi.WakeUp;
import dev.sweep.spi.WakingStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Query;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL store, versions 14 to 18. Thread-safe. What a worker needs all the time (claims, outcomes, heartbeats)
 * runs on up to three connections that the store keeps, and a worker listens on another one; everything else borrows one
 * for the length of a call, also the announcements of new tasks, which a thread behind the store sends. So the
 * {@link DataSource} needs five connections for a worker, one per slot that runs transactional handlers, and what the
 * application itself uses; a program that only enqueues keeps none.
 */
public final class JooqTaskStore
        implements TaskStore, AdminStore, MigratableStore, PresenceStore, TransactionalStore, WakingStore {

    /** One for claims and reclaims, one for outcomes, one for beats. */
    private static final int HOT_CONNECTIONS = 3;

    private final CheckedDataSource source;
    private final Notifications notifications;
    private final SchemaMigrator migrator;
    private final SchemaCheck check;
    private final TaskStatements statements;
    private final HotSession claimSession;
    private final HotSession outcomeSession;
    private final HotSession beatSession;
    private final Enqueuer enqueuer;
    private final Claims claims;
    private final Outcomes outcomes;
    private final Leases leases;
    private final HandlerTransactions transactions;
    private final DSLContext sql;
    private final TaskReader reader;
    private final TaskSelector selector;
    private final Administration administration;
    private final StoreDatabase database;
    private final WorkerRows workers;

    JooqTaskStore(CheckedDataSource source, SchemaName schema, Notifications notifications) {
        this.source = source;
        this.notifications = notifications;
        this.migrator = new SchemaMigrator(source, schema);
        this.check = new SchemaCheck(source, schema);
        this.statements = new TaskStatements(schema);
        this.claimSession = new HotSession(source, SessionSettings.forClaims());
        this.outcomeSession = new HotSession(source, SessionSettings.forOutcomes());
        this.beatSession = new HotSession(source, SessionSettings.forBeats());
        this.enqueuer = new Enqueuer(source, statements);
        this.claims = new Claims(claimSession, statements);
        this.outcomes = new Outcomes(outcomeSession, statements);
        this.leases = new Leases(beatSession, claimSession, statements);
        this.transactions = new HandlerTransactions(source, transactionRoom(), statements, outcomes);
        this.sql = SchemaSql.on(source, schema);
        this.reader = new TaskReader(sql, statements);
        this.selector = new TaskSelector(sql);
        this.administration = new Administration(source, statements);
        this.database = new StoreDatabase(source, schema);
        this.workers = new WorkerRows(beatSession, database, statements);
    }

    private TransactionRoom transactionRoom() {
        return new TransactionRoom(Math.max(
                1, connectionBudget().map(ConnectionBudget::transactions).orElse(Integer.MAX_VALUE)));
    }

    /** A store on this source of connections; the source stays the caller's to close. */
    public static JooqTaskStoreBuilder builder(DataSource source) {
        return new JooqTaskStoreBuilder(source);
    }

    /** For what works beside the store. */
    public StoreDatabase database() {
        return database;
    }

    @Override
    public void migrate() {
        migrator.migrate();
    }

    @Override
    public void verify() {
        check.verify();
    }

    @Override
    public List<Enqueued> enqueue(List<TaskRecord> tasks) {
        return enqueuer.enqueue(tasks);
    }

    @Override
    public List<Enqueued> enqueue(Connection tx, List<TaskRecord> tasks) {
        return enqueuer.enqueue(tx, tasks);
    }

    @Override
    public Claim claim(ClaimRequest request) {
        return claims.claim(request);
    }

    @Override
    public Set<Attempt> complete(Collection<Completion> completions) {
        return outcomes.complete(completions);
    }

    @Override
    public Set<Attempt> fail(Collection<Failure> failures) {
        return outcomes.fail(failures);
    }

    @Override
    public Set<Attempt> snooze(Collection<Snooze> snoozes) {
        return outcomes.snooze(snoozes);
    }

    @Override
    public Set<Attempt> cancel(Collection<Cancellation> cancellations) {
        return outcomes.cancel(cancellations);
    }

    @Override
    public Set<Attempt> release(Collection<Attempt> attempts) {
        return outcomes.release(attempts);
    }

    @Override
    public Reclaimed lose(Collection<Attempt> attempts) {
        return leases.lose(attempts);
    }

    @Override
    public Heartbeat heartbeat(HeartbeatRequest request) {
        return leases.heartbeat(request);
    }

    @Override
    public Reclaimed reclaim(Duration leaseDuration, int limit) {
        return leases.reclaim(leaseDuration, limit);
    }

    @Override
    public TransactionEnd completeInTransaction(List<ClaimedTask> tasks, TransactionWork work) throws Exception {
        return transactions.complete(tasks, work);
    }

    /** Known if the connections come from HikariCP. */
    @Override
    public Optional<ConnectionBudget> connectionBudget() {
        OptionalInt limit = source.limit();
        return limit.isPresent()
                ? Optional.of(
                        new ConnectionBudget(limit.getAsInt(), HOT_CONNECTIONS + notifications.connectionsFrom(source)))
                : Optional.empty();
    }

    @Override
    public Optional<Task> find(TaskId id) {
        return translated(() -> reader.find(id));
    }

    @Override
    public List<Task> list(TaskQuery query) {
        return translated(() -> reader.list(query));
    }

    @Override
    public List<StatusCount> counts() {
        return translated(reader::counts);
    }

    @Override
    public Optional<TaskStatus> cancel(TaskId id) {
        return administration.cancel(id);
    }

    @Override
    public List<TaskChange> cancel(Set<TaskId> ids) {
        return administration.cancel(ids);
    }

    @Override
    public List<TaskChange> requeue(Set<TaskId> ids) {
        return administration.requeue(ids);
    }

    @Override
    public List<TaskChange> delete(Set<TaskId> ids) {
        return administration.delete(ids);
    }

    @Override
    public List<TaskChange> reprioritise(Set<TaskId> ids, int priority) {
        return administration.reprioritise(ids, priority);
    }

    @Override
    public List<TaskChange> reschedule(Set<TaskId> ids, @Nullable Instant dueAt) {
        return administration.reschedule(ids, dueAt);
    }

    @Override
    public TaskSelection select(TaskFilter filter, int limit) {
        return translated(() -> selector.selection(filter, limit));
    }

    @Override
    public List<TaskFailure> failures(TaskId id) {
        return translated(() -> reader.failures(id));
    }

    @Override
    public Set<String> pausedQueues() {
        return translated(reader::pausedQueues);
    }

    @Override
    public void pauseQueue(String queue) {
        committed(tx -> tx.insertInto(QUEUE, QUEUE.NAME).values(queue).onConflictDoNothing());
    }

    @Override
    public void resumeQueue(String queue) {
        committed(tx -> tx.deleteFrom(QUEUE).where(QUEUE.NAME.eq(queue)));
    }

    @Override
    public void present(WorkerPresence presence) {
        workers.present(presence);
    }

    @Override
    public void stopped(String worker) {
        workers.stopped(worker);
    }

    @Override
    public List<KnownWorker> workers() {
        return workers.known();
    }

    /** Sends nothing on this thread; see {@link JooqTaskStoreBuilder#notifications}. */
    @Override
    public void announce(WakeUp wakeUp) {
        notifications.announce(wakeUp);
    }

    @Override
    public Optional<Listening> listen() {
        return notifications.listen();
    }

    /** Gives the kept connections back; a statement under way is cut off. */
    @Override
    public void close() {
        notifications.close();
        claimSession.close();
        outcomeSession.close();
        beatSession.close();
    }

    /** Also on connections that come with autocommit off, which would else be rolled back when they are closed. */
    private void committed(Function<DSLContext, Query> change) {
        translated(() -> sql.transactionResult(tx -> change.apply(tx.dsl()).execute()));
    }

    private static <T> T translated(Supplier<T> read) {
        try {
            return read.get();
        } catch (DataAccessException e) {
            SQLException cause = e.getCause(SQLException.class);
            throw cause == null ? e : SqlErrors.translated(cause);
        }
    }
}
