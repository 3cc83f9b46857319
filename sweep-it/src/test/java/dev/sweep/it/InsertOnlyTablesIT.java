package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.Outcome;
import dev.sweep.RetryPolicy;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.worker.Worker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case B19: a row's partition never changes, because what holds {@code created_at} is never updated. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class InsertOnlyTablesIT {

    /** The target of an update statement, after its schema; "do update" and "for update" have none. */
    private static final Pattern UPDATE = Pattern.compile(
            "(?i)(?<!do )(?<!for )\\bupdate\\s+(?:only\\s+)?(?:\\S+\\.)?(\\w+)(?=\\s+(?:\\w+\\s+)?set\\b)");

    private static final Path ROOT = Path.of(System.getProperty("sweep.root", ".."));
    private static final List<String> MODULES_WITH_SQL =
            List.of("sweep-jooq", "sweep-partitioning", "sweep-maintenance");

    @RegisterExtension
    static final Database db = Database.named("insert_only");

    @Test
    void noStatementUpdatesATableThatHasWeeks() {
        Stream<String> functions = db
                .query("select prosrc from pg_proc p join pg_namespace n on n.oid = pronamespace where nspname = '"
                        + db.schema + "'")
                .stream()
                .map(String::valueOf);
        Set<String> updated = new TreeSet<>();
        Stream.concat(functions, sources()).forEach(text -> targetsOf(text, updated));
        assertThat(updated)
                .containsExactly(
                        "maintenance_chore",
                        "maintenance_lease",
                        "partition_plan",
                        "partition_retired",
                        "task_key",
                        "task_lease",
                        "worker");
    }

    @Test
    void anUpdateOfATaskWouldBeFound() {
        Set<String> updated = new TreeSet<>();
        targetsOf("update ${schema}.task set created_at = now()", updated);
        targetsOf("UPDATE \"s\".task_outcome o\n   SET created_at = $1", updated);
        targetsOf("insert ... on conflict (id) do update set id = 1; select ... for update skip locked", updated);
        assertThat(updated).containsExactly("task", "task_outcome");
    }

    /** Not by text but by deed: an update of any of their rows would raise. */
    @Test
    void noMoveOfATasksLifeUpdatesThem() throws Exception {
        db.execute("create function sweep.refuse_update() returns trigger language plpgsql as"
                + " 'begin raise exception ''an update of % '', tg_table_name; end'");
        for (String table : List.of("task", "task_outcome", "task_failure", "task_ready", "task_running")) {
            db.execute("create trigger refuse before update on sweep." + table
                    + " for each row execute function sweep.refuse_update()");
        }
        TaskType<Json> well = TaskType.json("well");
        TaskType<Json> retried = TaskType.json("retried");
        TaskType<Json> badly = TaskType.json("badly");
        TaskType<Json> snoozed = TaskType.json("snoozed");
        AtomicBoolean hasSnoozed = new AtomicBoolean();
        TaskId lost = enqueue(well);
        db.claimAndVanish("well", 1);
        List<TaskId> ids = List.of(lost, enqueue(well), enqueue(retried), enqueue(snoozed));
        TaskId failed = enqueue(badly);
        try (Worker worker = Database.started(db.reclaimingWorker("w")
                .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                .handleInTransaction(well, (nothing, context) -> {})
                .handleForOutcome(badly, (nothing, context) -> Outcome.fail("for good"))
                .handleForOutcome(
                        retried,
                        (nothing, context) -> context.attempt() == 1 ? Outcome.retry("once") : Outcome.complete())
                .handleForOutcome(
                        snoozed,
                        (nothing, context) ->
                                hasSnoozed.getAndSet(true) ? Outcome.complete() : Outcome.snooze(Duration.ZERO)))) {
            ids.forEach(id -> db.awaitStatus(id, TaskStatus.SUCCEEDED));
            db.awaitStatus(failed, TaskStatus.FAILED);
        }
        TaskId cancelled = enqueue(well);
        assertThat(db.sweep.cancel(cancelled)).contains(TaskStatus.CANCELLED);
    }

    private static TaskId enqueue(TaskType<Json> type) {
        return db.sweep
                .enqueue(type.with(Errands.NOTHING).dedupKey(type + "-" + db.count("sweep.task")))
                .id();
    }

    private static void targetsOf(String text, Set<String> updated) {
        Matcher matcher = UPDATE.matcher(text);
        while (matcher.find()) {
            updated.add(matcher.group(1));
        }
    }

    private static Stream<String> sources() {
        return MODULES_WITH_SQL.stream()
                .flatMap(module -> sourcesOf(ROOT.resolve(module).resolve("src/main")));
    }

    private static Stream<String> sourcesOf(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).map(InsertOnlyTablesIT::read).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
