package dev.sweep.cli;

import dev.sweep.Backoff;
import dev.sweep.RetryPolicy;
import dev.sweep.worker.Worker;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sweep demo-worker}: a worker process of the demo. It lives as long as its stdin is open, so it can't outlive it. */
@Command(name = "demo-worker", hidden = true, header = "A worker process of the demo; ends when its stdin does.")
final class DemoWorkerCommand implements Callable<Integer> {

    private static final int SLOTS = 4;
    /** Small, as the tasks are few: the killed worker should hold a few of them, not half of all. */
    private static final int BATCH = 20;
    /** One per slot for transactional handlers and mails, and the engine's own. */
    private static final int CONNECTIONS = SLOTS + 6;
    /** Short, so that the tasks of the killed worker are soon taken over. */
    private static final Duration LEASE = Duration.ofSeconds(4);

    private static final Duration HEARTBEAT = Duration.ofSeconds(1);
    private static final Duration RECLAIM_INTERVAL = Duration.ofSeconds(1);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration END_AT_THE_LATEST = Duration.ofSeconds(15);
    private static final Backoff BACKOFF = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(1));

    @Option(names = "--shop-schema", required = true)
    private String shopSchema = "";

    @Option(names = "--seed", required = true)
    private long seed;

    @Option(names = "--failing-share", required = true)
    private double failingShare;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() throws IOException {
        String schema = database.schema(System.getenv());
        try (OpenSweep opened = database.open(CONNECTIONS);
                Worker worker = worker(opened, new DemoStatements(schema, shopSchema))) {
            worker.start();
            System.in.transferTo(OutputStream.nullOutputStream());
            endAtTheLatest();
        }
        return ExitCode.OK;
    }

    private Worker worker(OpenSweep opened, DemoStatements statements) {
        DemoHandlers handlers = new DemoHandlers(statements, opened.connections(), new Misfortune(seed, failingShare));
        return Worker.builder(opened.sweep())
                .queue("default", SLOTS)
                .batch(BATCH, BATCH)
                .bufferLimit(BATCH)
                .handleInTransaction(DemoTasks.SIGN_UP, handlers::signUp)
                .handle(DemoTasks.MAIL, handlers::mail)
                .handle(DemoTasks.CRM, handlers::crm)
                .handleInTransaction(DemoTasks.BONUS, handlers::bonus)
                .handle(DemoTasks.IMPOSSIBLE, handlers::impossible)
                .retryPolicy(RetryPolicy.of(BACKOFF))
                .leaseDuration(LEASE)
                .heartbeat(HEARTBEAT)
                .reclaimInterval(RECLAIM_INTERVAL)
                .stopTimeout(STOP_TIMEOUT)
                .build();
    }

    /** The database may have gone together with the demo. */
    private static void endAtTheLatest() {
        CompletableFuture.delayedExecutor(END_AT_THE_LATEST.toSeconds(), TimeUnit.SECONDS)
                .execute(() -> Runtime.getRuntime().halt(ExitCode.FAILED));
    }
}
