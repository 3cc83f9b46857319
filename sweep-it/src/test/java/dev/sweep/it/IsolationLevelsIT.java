package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.worker.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case B20: sessions whose default isolation is stricter than what Sweep's statements are made for. */
class IsolationLevelsIT {

    private static final int TASKS = 500;

    @RegisterExtension
    static final Database repeatableRead =
            Database.named("repeatable_read", "-c default_transaction_isolation=repeatable\\ read");

    @RegisterExtension
    static final Database serializable =
            Database.named("serializable", "-c default_transaction_isolation=serializable");

    @Test
    void allRunOnceUnderRepeatableRead() throws Exception {
        allRunOnce(repeatableRead, "repeatable read");
    }

    @Test
    void allRunOnceUnderSerializable() throws Exception {
        allRunOnce(serializable, "serializable");
    }

    private static void allRunOnce(Database db, String level) throws Exception {
        assertThat(db.query("show transaction_isolation")).containsExactly(level);
        db.sweep.enqueueAll(IntStream.range(0, TASKS)
                .mapToObj(i -> (i % 2 == 0 ? Errands.QUICK : Errands.QUICK_TX).with(Errands.NOTHING))
                .toList());
        List<Worker> workers = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                workers.add(Database.started(db.worker("w", db.anotherSweep())
                        .queue("default", 4)
                        .batch(10, 20)
                        .handle(
                                Errands.QUICK,
                                (nothing, context) -> Errands.leaveEffect(db.source, db.schema, context, "w"))
                        .handleInTransaction(
                                Errands.QUICK_TX,
                                (nothing, context) -> Errands.leaveEffectInTransaction(
                                        context.connection(), db.schema, context, "w"))));
            }
            db.awaitCount(TASKS, "sweep.task_outcome");
        } finally {
            workers.forEach(Worker::close);
        }
        assertThat(db.count("sweep.fx")).isEqualTo(TASKS);
        assertThat(db.query("select distinct status from sweep.tasks")).containsExactly("succeeded");
        assertThat(db.count("sweep.task_failure")).as("runs that cost a retry").isZero();
    }
}
