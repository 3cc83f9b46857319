package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.sweep.Json;
import dev.sweep.RetryPolicy;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.worker.LoggingListener;
import dev.sweep.worker.Worker;
import java.sql.Connection;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** Case B101: what a payload says is in no log and in no error that is kept. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class SecretsIT {

    private static final String SECRET = "SECRET-4711";

    private record Login(String token, long count) {}

    @RegisterExtension
    static final Database db = Database.named("secrets");

    private final Logger log = (Logger) LoggerFactory.getLogger("dev.sweep");
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    @BeforeAll
    static void createTable() {
        db.execute("create table sweep.account (token text unique)");
    }

    @BeforeEach
    void listen() {
        db.execute("truncate sweep.account");
        logged.start();
        log.setLevel(Level.DEBUG);
        log.setAdditive(false);
        log.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        log.detachAppender(logged);
        log.setAdditive(true);
        log.setLevel(null);
    }

    @Test
    void aPayloadIsInNoLogAndInNoErrorOfItsTask() throws Exception {
        Map<String, TaskType<Login>> types = new LinkedHashMap<>();
        for (String name : List.of("well", "throws", "violates", "violates-plainly", "violates-deep", "unreadable")) {
            types.put(name, TaskType.of(name, Login.class).maxRetries(1));
        }
        types.values().forEach(type -> db.sweep.enqueue(type.with(new Login(SECRET, 1))));
        db.enqueueBySql("'unreadable', '{\"token\": 1, \"count\": \"" + SECRET + "\"}', max_retries => 1");
        db.enqueueBySql("'unreadable', '\"" + SECRET + "\"', max_retries => 1");
        try (Worker worker = Database.started(db.worker("w")
                .logging(new LoggingListener())
                .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                .handle(types.get("well"), (login, context) -> {})
                .handle(types.get("unreadable"), (login, context) -> {})
                .handle(types.get("throws"), (login, context) -> {
                    throw new IllegalStateException("can't log in");
                })
                .handle(types.get("violates-plainly"), (login, context) -> {
                    try (Connection connection = db.transaction()) {
                        insertTwice(connection, login);
                    }
                })
                .handle(types.get("violates-deep"), (login, context) -> {
                    try (Connection connection = db.transaction()) {
                        insertTwice(connection, login);
                    } catch (java.sql.SQLException e) {
                        throw new IllegalStateException("SQL [insert ...]; " + e.getMessage(), e);
                    }
                })
                .handleInTransaction(
                        types.get("violates"), (login, context) -> insertTwice(context.connection(), login)))) {
            db.awaitCount(8, "sweep.task_outcome");
        }
        assertThat(db.count("sweep.task_outcome where status = 'succeeded'")).isEqualTo(2);
        assertThat(db.query("select message || error_class from sweep.task_failure"))
                .hasSize(12)
                .allSatisfy(message -> assertThat(message).asString().doesNotContain(SECRET));
        assertThat(db.query("select error_msg from sweep.tasks where status = 'failed'"))
                .allSatisfy(error -> assertThat(error).asString().isNotBlank().doesNotContain(SECRET));
        assertThat(db.query("select message from sweep.task_failure where message like '%account_token_key%'"))
                .as("failures that still name the constraint")
                .hasSize(6);
        assertThat(logged.list)
                .anySatisfy(event -> assertThat(event.getFormattedMessage()).contains("has failed for good"))
                .allSatisfy(event ->
                        assertThat(event.getFormattedMessage() + stackOf(event)).doesNotContain(SECRET));
        assertThat(db.sweep.list(TaskQuery.newest())).asString().doesNotContain(SECRET);
    }

    private static void insertTwice(Connection connection, Login login) throws Exception {
        for (int i = 0; i < 2; i++) {
            db.execute(connection, "insert into sweep.account values ('" + login.token() + "')");
        }
    }

    private static String stackOf(ILoggingEvent event) {
        return event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy());
    }

    @Test
    void aRefusedPayloadIsNotQuoted() {
        for (String json : List.of("{\"token\": " + SECRET, "\"" + SECRET + "\" 1", "\"" + SECRET + "\\u0000\"")) {
            assertThatThrownBy(() -> db.sweep.enqueue(TaskType.json("t").with(Json.of(json))))
                    .satisfies(refusal -> assertThat(
                                    ThrowableProxyUtil.asString(new ch.qos.logback.classic.spi.ThrowableProxy(refusal)))
                            .contains("nothing was written")
                            .doesNotContain(SECRET));
        }
        TaskId id = db.sweep
                .enqueue(TaskType.json("t").with(Json.of("\"" + SECRET + "\"")))
                .id();
        assertThat(db.sweep.cancel(id)).contains(TaskStatus.CANCELLED);
        assertThat(logged.list)
                .singleElement()
                .satisfies(audit -> assertThat(audit.getFormattedMessage())
                        .startsWith("cancel of task " + id)
                        .doesNotContain(SECRET));
    }
}
