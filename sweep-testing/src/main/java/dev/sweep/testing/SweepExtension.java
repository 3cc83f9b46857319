package dev.sweep.testing;

import dev.sweep.BatchTaskHandler;
import dev.sweep.OutcomeHandler;
import dev.sweep.Sweep;
import dev.sweep.SweepBuilder;
import dev.sweep.TaskHandler;
import dev.sweep.TaskType;
import dev.sweep.TransactionalTaskHandler;
import dev.sweep.worker.WorkerBuilder;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * API: gives each test of a JUnit 5 class an empty store and a {@link SteppedEngine} on it:
 *
 * <pre>{@code
 * @RegisterExtension
 * final SweepExtension tasks = SweepExtension.inMemory().handle(WELCOME, (welcome, context) -> mailer.send(welcome));
 *
 * @Test
 * void welcomesWhoSignsUp() {
 *     new SignUp(tasks.sweep()).signUp("ada@example.org");
 *
 *     tasks.drain().hasRun(1);
 *     ...
 * }
 * }</pre>
 *
 * <p>Tests may have parameters of type {@link Sweep}, {@link SteppedEngine} and, in memory, {@link SettableTime}. Handlers
 * given at the field are there for all tests, those given in a test or its {@code @BeforeEach} for that test.
 *
 * <p>A handler that fails in a drain is treated as by a worker: the task waits for its next attempt, or has failed. So that
 * no test passes because an exception went unseen, a failure about which nobody asked its {@link Drained} fails the test at
 * its end.
 *
 * <p>Add {@code org.junit.jupiter:junit-jupiter} to use it. Not thread-safe: the tests of a class run one after the other.
 */
public final class SweepExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback, ParameterResolver {

    private final TestStores stores;
    private final List<Consumer<WorkerBuilder>> workerSettings = new ArrayList<>();
    private final List<Consumer<SweepBuilder>> sweepSettings = new ArrayList<>();
    private @Nullable RunningTest running;
    private int openClasses;

    private SweepExtension(TestStores stores) {
        this.stores = stores;
    }

    /**
     * A new {@link InMemoryTaskStore} for each test, without database and transactions. Its clock stands still at the time
     * the test began, until the test moves it.
     */
    public static SweepExtension inMemory() {
        return new SweepExtension(new InMemoryStores(InstantSource.system()));
    }

    /** The same with a clock that begins at {@code start}, for tests about certain dates. */
    public static SweepExtension inMemory(Instant start) {
        return new SweepExtension(new InMemoryStores(InstantSource.fixed(start)));
    }

    /**
     * A schema on {@link PostgresServer#shared()} for each test class: made before its first test, emptied for each one,
     * dropped after the last. Declare the field {@code static}.
     *
     * @param factory {@code (source, schema) -> JooqTaskStore.builder(source).schema(schema).build()}
     */
    public static SweepExtension onPostgres(StoreFactory factory) {
        return on(() -> PostgresServer.shared().dataSource(), factory);
    }

    /**
     * The same on a PostgreSQL of the test's own.
     *
     * @param source asked before the first test of a class; its login must be allowed to create a schema
     */
    public static SweepExtension on(Supplier<? extends DataSource> source, StoreFactory factory) {
        return new SweepExtension(new PostgresStores(source, factory));
    }

    /** As {@link WorkerBuilder#handle}. */
    public <P> SweepExtension handle(TaskType<P> type, TaskHandler<P> handler) {
        return worker(settings -> settings.handle(type, handler));
    }

    /** As {@link WorkerBuilder#handleForOutcome}. */
    public <P> SweepExtension handleForOutcome(TaskType<P> type, OutcomeHandler<P> handler) {
        return worker(settings -> settings.handleForOutcome(type, handler));
    }

    /** As {@link WorkerBuilder#handleInTransaction}; not in memory. */
    public <P> SweepExtension handleInTransaction(TaskType<P> type, TransactionalTaskHandler<P> handler) {
        return worker(settings -> settings.handleInTransaction(type, handler));
    }

    /** As {@link SteppedEngine#handleBatch}. */
    public <P> SweepExtension handleBatch(TaskType<P> type, int batchSize, BatchTaskHandler<P> handler) {
        return worker(settings -> settings.handleBatch(type, batchSize, handler));
    }

    /** As {@link SteppedEngine#worker}: whatever a worker can be told, for all tests or for the one that runs. */
    public SweepExtension worker(Consumer<WorkerBuilder> settings) {
        if (running == null) {
            workerSettings.add(settings);
        } else {
            running.engine().worker(settings);
        }
        return this;
    }

    /** How the {@link Sweep} of each test is built, such as {@code settings -> settings.codec(codec)}; give it at the field. */
    public SweepExtension sweep(Consumer<SweepBuilder> settings) {
        if (running != null) {
            throw new IllegalStateException("the Sweep of this test is built already; give its settings at the field");
        }
        sweepSettings.add(settings);
        return this;
    }

    /** The one of the test that runs. */
    public Sweep sweep() {
        return running().sweep();
    }

    /** The one of the test that runs. */
    public SteppedEngine engine() {
        return running().engine();
    }

    /** As {@link SteppedEngine#drain()}. */
    public Drained drain() {
        return engine().drain();
    }

    /** As {@link SteppedEngine#drain(int)}. */
    public Drained drain(int limit) {
        return engine().drain(limit);
    }

    /** As {@link SteppedEngine#runNext()}. */
    public Drained runNext() {
        return engine().runNext();
    }

    /**
     * Lets time pass, so that delayed tasks, retries and snoozed tasks come due, windows of dedup keys end and leases lapse.
     * In memory the clock moves. On PostgreSQL, whose clock nobody moves, all of these are moved nearer instead: due times
     * that are read afterwards are earlier by as much, and what has been keeps its time.
     *
     * @param duration zero or more
     */
    public SweepExtension advance(Duration duration) {
        running();
        stores.advance(duration);
        return this;
    }

    /**
     * The clock of the test that runs; give it to code that asks for the time.
     *
     * @throws UnsupportedOperationException on PostgreSQL
     */
    public SettableTime time() {
        return stores.time();
    }

    /** As {@link TasksAssert#assertThatTasks(Sweep)}. */
    public TasksAssert assertThatTasks() {
        return TasksAssert.assertThatTasks(sweep());
    }

    /**
     * As {@link TasksAssert#assertThatTasks(Sweep, Connection, String)}: sees what {@code tx} has not committed.
     *
     * @throws UnsupportedOperationException in memory
     */
    public TasksAssert assertThatTasks(Connection tx) {
        return TasksAssert.assertThatTasks(sweep(), tx, schema());
    }

    /**
     * The database that the store is on.
     *
     * @throws UnsupportedOperationException in memory
     */
    public DataSource dataSource() {
        return stores.dataSource();
    }

    /**
     * The schema of this test class.
     *
     * @throws UnsupportedOperationException in memory
     */
    public String schema() {
        return stores.schema();
    }

    /** For JUnit. */
    @Override
    public void beforeAll(ExtensionContext context) {
        // Once more for each nested class.
        if (openClasses++ == 0) {
            stores.begin(context.getRequiredTestClass().getSimpleName());
        }
    }

    /** For JUnit. */
    @Override
    public void beforeEach(ExtensionContext context) {
        if (running != null) {
            throw new IllegalStateException(
                    "another test uses this SweepExtension; tests that run at once need one each,"
                            + " in a field that is not static");
        }
        SweepBuilder builder = Sweep.builder(stores.newStore());
        sweepSettings.forEach(settings -> settings.accept(builder));
        Sweep sweep = builder.build();
        SteppedEngine engine = SteppedEngine.of(sweep);
        workerSettings.forEach(engine::worker);
        running = new RunningTest(sweep, engine);
    }

    /** For JUnit. */
    @Override
    public void afterEach(ExtensionContext context) {
        RunningTest ended = running;
        if (ended == null) {
            return;
        }
        running = null;
        ended.sweep().close();
        List<HandlerFailure> unseen = ended.engine().unseenFailures();
        if (!unseen.isEmpty()) {
            tell(unseen, context);
        }
    }

    /** For JUnit. */
    @Override
    public void afterAll(ExtensionContext context) {
        if (--openClasses == 0) {
            stores.end();
        }
    }

    /** For JUnit. */
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Sweep.class || type == SteppedEngine.class || type == SettableTime.class;
    }

    /** For JUnit. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        if (type == SettableTime.class) {
            return time();
        }
        return type == Sweep.class ? sweep() : engine();
    }

    private static void tell(List<HandlerFailure> unseen, ExtensionContext context) {
        AssertionError error = HandlerFailure.error(
                "nobody asked about " + unseen.size() + " failures of handlers; if they are expected, assert them with"
                        + " drain().hasFailures(n)",
                unseen);
        Throwable own = context.getExecutionException().orElseThrow(() -> error);
        own.addSuppressed(error);
    }

    private RunningTest running() {
        RunningTest test = running;
        if (test == null) {
            throw new IllegalStateException("no test runs; is the field of this SweepExtension annotated with"
                    + " @RegisterExtension, and is this called in a test or its @BeforeEach?");
        }
        return test;
    }

    /** What one test has. */
    private record RunningTest(Sweep sweep, SteppedEngine engine) {}
}
