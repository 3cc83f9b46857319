package dev.sweep.it;

import com.zaxxer.hikari.HikariDataSource;
import dev.sweep.NewTask;
import dev.sweep.Sweep;
import dev.sweep.TaskContext;
import dev.sweep.TransactionContext;
import dev.sweep.event.TaskEvent;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.PooledDataSource;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** The process that {@link WorkerProcess} starts: works off {@link Errands}, obeys its standard input, tells what happens. */
final class WorkerMain {

    static final String CLOSE_ON_SHUTDOWN = "sweep.it.closeOnShutdown";
    static final String STOP_MILLIS = "sweep.it.stopMillis";
    private static final int EXIT_WHEN_TOLD = 137;

    private final String schema;
    private final String name;
    private final HikariDataSource source;
    private final CountDownLatch word = new CountDownLatch(1);

    private WorkerMain(String schema, String name, HikariDataSource source) {
        this.schema = schema;
        this.name = name;
        this.source = source;
    }

    /** Arguments: URL, user, password, schema, name, lease in milliseconds, slots, types. */
    public static void main(String[] args) throws IOException {
        Duration lease = Duration.ofMillis(Long.parseLong(args[5]));
        int slots = Integer.parseInt(args[6]);
        Set<String> types = Set.copyOf(List.of(args).subList(7, args.length));
        try (HikariDataSource source = PooledDataSource.open(args[0], args[1], args[2], slots * 2 + 6);
                Sweep sweep = Sweep.create(JooqTaskStore.builder(tellingOfLostCommits(source))
                        .schema(args[3])
                        .build())) {
            WorkerMain main = new WorkerMain(args[3], args[4], source);
            try (Worker worker = main.worker(sweep, lease, slots, types)) {
                if (Boolean.getBoolean(CLOSE_ON_SHUTDOWN)) {
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> tellWhenClosing(worker)));
                }
                worker.start();
                tell("started");
                main.obey();
            }
            tell("stopped");
        }
    }

    private static void tellWhenClosing(Worker worker) {
        Awaiting.until("it is closing", () -> !worker.health().downReasons().isEmpty());
        tell("closing");
    }

    private Worker worker(Sweep sweep, Duration lease, int slots, Set<String> types) {
        WorkerBuilder builder = Worker.builder(sweep)
                .name(name)
                .queue("default", slots)
                .leaseDuration(lease)
                .heartbeat(lease.dividedBy(5))
                .reclaimInterval(lease.dividedBy(5))
                .pollInterval(Duration.ofMillis(10), Duration.ofMillis(100))
                .batch(10, 50)
                .closeOnShutdown(Boolean.getBoolean(CLOSE_ON_SHUTDOWN))
                .stopTimeout(Duration.ofMillis(Long.getLong(STOP_MILLIS, 30_000)))
                .logging(event -> {})
                .listener(WorkerMain::hear);
        if (types.contains(Errands.QUICK.name())) {
            builder.handle(Errands.QUICK, (nothing, context) -> leaveEffect(context));
        }
        if (types.contains(Errands.QUICK_TX.name())) {
            builder.handleInTransaction(Errands.QUICK_TX, (nothing, context) -> leaveEffectInTransaction(context));
        }
        if (types.contains(Errands.HOLD.name())) {
            builder.handle(Errands.HOLD, (nothing, context) -> {
                awaitWord(context);
                leaveEffect(context);
            });
        }
        if (types.contains(Errands.HOLD_TX.name())) {
            builder.handleInTransaction(Errands.HOLD_TX, (nothing, context) -> {
                leaveEffectInTransaction(context);
                awaitWord(context);
            });
        }
        if (types.contains(Errands.HOLD_THROW.name())) {
            builder.handle(Errands.HOLD_THROW, (nothing, context) -> {
                awaitWord(context);
                throw new IllegalStateException("late");
            });
        }
        if (types.contains(Errands.HALT.name())) {
            builder.handle(
                    Errands.HALT, (nothing, context) -> Runtime.getRuntime().halt(EXIT_WHEN_TOLD));
        }
        if (types.contains(Errands.FAN_OUT.name())) {
            builder.handleInTransaction(Errands.FAN_OUT, (nothing, context) -> {
                context.enqueueAll(children(60));
                awaitWord(context);
                context.enqueueAll(children(40));
            });
        }
        if (types.contains(CrashErrands.PLAIN.name())) {
            CrashErrands.addTo(builder, source, schema, name);
        }
        return builder.build();
    }

    /** A commit whose answer did not come may have happened or not. */
    private static DataSource tellingOfLostCommits(DataSource source) {
        return JdbcProxy.source(
                source,
                open -> JdbcProxy.connection(open, (connection, method, arguments) -> {
                    try {
                        return JdbcProxy.call(connection, method, arguments);
                    } catch (SQLException e) {
                        if (method.getName().equals("commit")
                                && String.valueOf(e.getSQLState()).matches("08.*|57P.*")) {
                            tell("commit of unknown outcome: " + e.getSQLState());
                        }
                        throw e;
                    }
                }));
    }

    static List<NewTask<?>> children(int number) {
        return IntStream.range(0, number)
                .<NewTask<?>>mapToObj(child -> Errands.QUICK.with(Errands.NOTHING))
                .toList();
    }

    private void leaveEffect(TaskContext context) throws SQLException {
        Errands.leaveEffect(source, schema, context, name);
    }

    private void leaveEffectInTransaction(TransactionContext context) throws SQLException {
        Errands.leaveEffectInTransaction(context.connection(), schema, context, name);
    }

    /** Deaf to interrupts, as code of others may be: what it does afterwards comes late. */
    private void awaitWord(TaskContext context) {
        tell("running " + context.type() + " " + context.id());
        boolean isWordGiven = false;
        while (!isWordGiven) {
            try {
                Awaiting.opened(word);
                isWordGiven = true;
            } catch (InterruptedException ignoredOnPurpose) {
                tell("interrupted " + context.id());
            }
        }
    }

    private void obey() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null && !line.equals("stop"); line = in.readLine()) {
            if (line.equals("go")) {
                word.countDown();
            }
        }
    }

    private static void hear(TaskEvent event) {
        if (event instanceof TaskEvent.OutcomeRefused refused) {
            tell("refused " + refused.id());
        } else if (event instanceof TaskEvent.AttemptGivenUp givenUp) {
            tell("gives-up " + givenUp.run().id());
        } else if (event instanceof TaskEvent.CommitInDoubt doubt) {
            tell("looked, and it was " + (doubt.isFoundCommitted() ? "committed" : "not to be found out"));
        }
    }

    static synchronized void tell(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
