package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Sweep;
import dev.sweep.TaskId;
import dev.sweep.event.TaskEvent.AttemptStarted;
import dev.sweep.event.TaskEvent.LoopFailed;
import dev.sweep.event.TaskEvent.LoopRecovered;
import dev.sweep.worker.Worker;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A worker with four attempts under way, two of them in transactions, and tasks that wait; then whatever a test does to the
 * database; then the check that nothing came of it. What plain handlers do is counted in memory, so that it can't fail.
 */
final class OutageRun implements AutoCloseable {

    private static final int WAITING = 60;
    private static final int HELD = 4;

    private final Database db;
    private final Map<TaskId, Integer> plainRuns = new ConcurrentHashMap<>();
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final Sweep apart;
    final Worker worker;

    private OutageRun(Database db, Sweep sweep) {
        this.db = db;
        this.apart = db.anotherSweep(db.server.dataSource());
        this.worker = Database.started(Database.reclaiming(db.worker("w", sweep))
                .queue("default", 8)
                .batch(5, 10)
                .handle(Errands.QUICK, (nothing, context) -> plainRuns.merge(context.id(), 1, Integer::sum))
                .handle(Errands.HOLD, (nothing, context) -> {
                    Awaiting.opened(goOn);
                    plainRuns.merge(context.id(), 1, Integer::sum);
                })
                .handleInTransaction(
                        Errands.QUICK_TX,
                        (nothing, context) ->
                                Errands.leaveEffectInTransaction(context.connection(), db.schema, context, "w"))
                .handleInTransaction(Errands.HOLD_TX, (nothing, context) -> {
                    Errands.leaveEffectInTransaction(context.connection(), db.schema, context, "w");
                    Awaiting.opened(goOn);
                }));
    }

    /** Returns when the four are under way. */
    static OutageRun started(Database db, Sweep sweep) {
        IntStream.range(0, HELD)
                .forEach(i -> db.sweep.enqueue((i % 2 == 0 ? Errands.HOLD : Errands.HOLD_TX)
                        .with(Errands.NOTHING)
                        .priority(10)));
        OutageRun run = new OutageRun(db, sweep);
        db.events.await(AttemptStarted.class, HELD);
        return run;
    }

    /** On a connection of another role's. */
    void enqueueMore() {
        apart.enqueueAll(IntStream.range(0, WAITING)
                .mapToObj(i -> (i % 2 == 0 ? Errands.QUICK : Errands.QUICK_TX).with(Errands.NOTHING))
                .toList());
    }

    /** The database serves again: lets the four go on, and waits until all is done. */
    void goOn() {
        goOn.countDown();
        enqueueMore();
        Awaiting.until(
                "all is done",
                () -> "health: " + worker.health() + ", waiting: "
                        + db.query("select row_to_json(r)::text from sweep.task_ready r") + ", running: "
                        + db.query("select row_to_json(r)::text from sweep.task_running r"),
                () -> db.count("sweep.task") == db.count("sweep.task_outcome"));
        Awaiting.until("it is well", worker::health, () -> worker.health().isUp());
    }

    /**
     * The effects of transactions are judged by {@link Invariants}.
     *
     * @param faults how often the database went away, each of which may cost a plain task another run
     */
    void nothingWasLostOrCounted(int faults) {
        nothingWasLostOrCounted(faults, "nothing");
    }

    /** @param excused what a handler's own statement may have said */
    void nothingWasLostOrCounted(int faults, String excused) {
        assertThat(db.query("select distinct status from sweep.tasks")).containsExactly("succeeded");
        assertThat(db.query("select message from sweep.task_failure where error_class <> 'worker lost'"
                        + " and message not like '%" + excused + "%'"))
                .as("attempts that cost a retry")
                .isEmpty();
        assertThat(db.count("sweep.fx")).isEqualTo(db.count("sweep.tasks where type like '%.tx'"));
        assertThat(plainRuns.values()).as("runs of plain tasks").allMatch(runs -> runs <= 1 + faults);
        assertThat(plainRuns).hasSize((int) db.count("sweep.tasks where type not like '%.tx'"));
    }

    /** @param faults how often the database went away */
    void eachFaultWasToldOnce(int faults) {
        Awaiting.until(
                "all loops have recovered", () -> count(LoopRecovered.class).equals(count(LoopFailed.class)));
        assertThat(count(LoopFailed.class))
                .isNotEmpty()
                .allSatisfy((loop, times) -> assertThat(times).as(loop).isLessThanOrEqualTo(faults));
    }

    private Map<String, Integer> count(Class<?> kind) {
        return kind == LoopFailed.class
                ? db.events.of(LoopFailed.class).stream()
                        .collect(Collectors.toMap(LoopFailed::loop, e -> 1, Integer::sum))
                : db.events.of(LoopRecovered.class).stream()
                        .collect(Collectors.toMap(LoopRecovered::loop, e -> 1, Integer::sum));
    }

    @Override
    public void close() {
        goOn.countDown();
        worker.close();
    }
}
