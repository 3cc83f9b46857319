package dev.sweep.cli.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A producer or a worker in a JVM of its own; {@link ChildProcess} starts it and talks to it. It connects, says
 * {@code ready}, begins at {@code go}, tells how far it is ({@code at COUNT FIRST LAST}, times in microseconds), stops at
 * {@code stop} or when its stdin ends, tells the ages it noted, and says {@code end}.
 */
public final class BenchProcess {

    static final String URL = "SWEEP_BENCH_URL";
    static final String USER = "SWEEP_BENCH_USER";
    static final String PASSWORD = "SWEEP_BENCH_PASSWORD";
    static final String SCHEMA = "SWEEP_BENCH_SCHEMA";

    private static final int FAILED = 1;
    private static final long END_AT_THE_LATEST_SECONDS = 60;

    private BenchProcess() {}

    public static void main(String[] words) throws IOException, SQLException {
        // What fails on any thread fails the process: a count would stay short without saying why.
        Thread.setDefaultUncaughtExceptionHandler((thread, failed) -> fail(failed));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        run(Order.of(words), place(System.getenv()::get), in, out);
        System.exit(0);
    }

    private static void fail(Throwable failed) {
        failed.printStackTrace();
        Runtime.getRuntime().halt(FAILED);
    }

    private static Place place(Function<String, @Nullable String> environment) {
        return new Place(
                given(environment, URL),
                environment.apply(USER),
                environment.apply(PASSWORD),
                given(environment, SCHEMA));
    }

    private static String given(Function<String, @Nullable String> environment, String name) {
        String value = environment.apply(name);
        if (value == null) {
            throw new IllegalStateException(name + " is not set; sweep bench starts this process");
        }
        return value;
    }

    private static void run(Order order, Place place, BufferedReader in, PrintStream out)
            throws IOException, SQLException {
        Contender contender = Contenders.named(order.contender());
        TallyBoard board = new TallyBoard(order.isTimed());
        try (TaskLoop loop = loop(order, contender, place, board)) {
            out.println("ready");
            if ("go".equals(in.readLine())) {
                board.reportTo(out);
                loop.start();
                in.readLine();
            }
            endAtTheLatest();
        }
        board.close();
        out.println("end");
    }

    private static TaskLoop loop(Order order, Contender contender, Place place, TallyBoard board) throws SQLException {
        return switch (order.role()) {
            case WORKER -> contender.worker(place, order.threads(), board);
            case PRODUCER -> new ProducerLoop(order, contender.producer(place, order.threads()), board);
            case LIVES -> LivesLoop.open(order, contender, place, board);
        };
    }

    /** The database may have gone together with the bench. */
    private static void endAtTheLatest() {
        CompletableFuture.delayedExecutor(END_AT_THE_LATEST_SECONDS, TimeUnit.SECONDS)
                .execute(() -> Runtime.getRuntime().halt(FAILED));
    }
}
