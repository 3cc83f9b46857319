package dev.sweep.it;

import static dev.sweep.it.Errands.NOTHING;
import static dev.sweep.it.Errands.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Sweep;
import dev.sweep.TaskStatus;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.worker.Worker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a worker with default settings costs the database while there is nothing to do. */
class IdleCostIT {

    private static final Duration WINDOW = Duration.ofSeconds(30);

    @RegisterExtension
    static final Database db = Database.named("idle");

    private final List<String> statements = new CopyOnWriteArrayList<>();
    private volatile long lastSentNanos = System.nanoTime();

    /** The longest intervals bound it: a claim each 2 s, and a heartbeat, a look for lost tasks and a proof each 10 s. */
    @Test
    void anIdleWorkerSendsAtMostOneStatementASecond() throws Exception {
        try (Sweep sweep = Sweep.create(JooqTaskStore.builder(counted(db.source))
                        .schema(db.schema)
                        .build());
                Worker worker = Worker.builder(sweep)
                        .logging(event -> {})
                        .handle(QUICK, (nothing, context) -> {})
                        .build()) {
            worker.start();
            WakeUpIT.awaitArriving(worker);
            db.awaitStatus(sweep.enqueue(QUICK.with(NOTHING)).id(), TaskStatus.SUCCEEDED);
            awaitLongestPoll();

            statements.clear();
            long began = System.nanoTime();
            Awaiting.until("half a minute has passed", () -> System.nanoTime() - began > WINDOW.toNanos());
            List<String> sent = List.copyOf(statements);
            long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
            assertThat(sent).as("in %s s", seconds).isNotEmpty().hasSizeLessThanOrEqualTo((int) seconds + 1);
        }
    }

    /** After activity polls are closer together. */
    private void awaitLongestPoll() {
        Awaiting.until(
                "a second has passed without a statement", () -> System.nanoTime() - lastSentNanos > 1_000_000_000L);
    }

    private DataSource counted(DataSource source) {
        return (DataSource) proxy(
                source,
                DataSource.class,
                (method, result) -> result instanceof Connection connection
                        ? proxy(connection, Connection.class, this::countedCall)
                        : result);
    }

    private Object countedCall(Method method, Object result) {
        if (method.getName().equals("commit") || method.getName().equals("rollback")) {
            sent(method);
        }
        if (result instanceof PreparedStatement prepared) {
            return proxy(prepared, PreparedStatement.class, this::count);
        }
        return result instanceof Statement statement ? proxy(statement, Statement.class, this::count) : result;
    }

    private Object count(Method method, Object result) {
        if (method.getName().startsWith("execute")) {
            sent(method);
        }
        return result;
    }

    private void sent(Method method) {
        statements.add(method.getName());
        lastSentNanos = System.nanoTime();
    }

    private static Object proxy(Object target, Class<?> type, Call call) {
        return Proxy.newProxyInstance(
                IdleCostIT.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return call.returned(method, method.invoke(target, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @FunctionalInterface
    private interface Call {
        /** Returns what the caller gets. */
        Object returned(Method method, Object result);
    }
}
