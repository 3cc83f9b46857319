package dev.sweep.it;

import static dev.sweep.it.Errands.NOTHING;
import static dev.sweep.it.Errands.QUICK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Sweep;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.spi.Claim;
import dev.sweep.spi.TaskStore;
import dev.sweep.worker.Worker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case B63: many idle workers, one task at a time. Each has a store of its own, as in processes of their own. */
class HerdIT {

    private static final int WORKERS = 10;
    private static final int TASKS = 200;

    @RegisterExtension
    static final Database db = Database.named("herd");

    private final AtomicInteger claims = new AtomicInteger();
    private final AtomicInteger emptyClaims = new AtomicInteger();
    private final List<Worker> workers = new ArrayList<>();
    private final List<Sweep> sweeps = new ArrayList<>();

    @BeforeEach
    void gather() throws InterruptedException {
        for (int i = 0; i < WORKERS; i++) {
            Sweep sweep = Sweep.create(
                    counted(JooqTaskStore.builder(db.source).schema(db.schema).build()));
            sweeps.add(sweep);
            workers.add(WakeUpIT.idle(WakeUpIT.rarely(db.worker("w" + i, sweep))
                    .queue("default", 2)
                    .handle(QUICK, (nothing, context) -> {})));
        }
        for (Worker worker : workers) {
            worker.awaitIdle(WakeUpIT.NEVER);
        }
    }

    @AfterEach
    void disperse() {
        workers.forEach(Worker::close);
        sweeps.forEach(Sweep::close);
    }

    @Test
    void oneTaskMakesEachOfThemLookOnce() {
        int before = claims.get();
        db.sweep.enqueue(QUICK.with(NOTHING));
        Awaiting.until("all have looked", () -> claims.get() == before + WORKERS);
        db.awaitCount(1, "sweep.tasks where status = 'succeeded'");
        assertThat(claims).hasValue(before + WORKERS);
    }

    @Test
    void aSteadyTrickleIsServedByAFew() {
        int before = emptyClaims.get();
        long began = System.nanoTime();
        for (int i = 0; i < TASKS; i++) {
            TaskId id = db.sweep.enqueue(QUICK.with(NOTHING)).id();
            db.awaitStatus(id, TaskStatus.SUCCEEDED);
        }
        int tenths = (int) ((System.nanoTime() - began) / 100_000_000);
        // Each has to lose eight times to become patient, and then looks at most once in 100 ms.
        int patient = WORKERS * (8 + tenths) + TASKS;
        int impatient = TASKS * (WORKERS - 1);
        assertThat(emptyClaims.get() - before)
                .as("of %s claims that impatient ones would make in vain", impatient)
                .isLessThan(patient);
    }

    @Test
    void aBurstIsWorkedOff() {
        IntStream.range(0, TASKS).forEach(i -> db.sweep.enqueue(QUICK.with(NOTHING)));
        db.awaitCount(TASKS, "sweep.tasks where status = 'succeeded'");
        assertThat(emptyClaims.get()).isLessThan(3 * TASKS);
    }

    private TaskStore counted(JooqTaskStore store) {
        return (TaskStore) Proxy.newProxyInstance(
                HerdIT.class.getClassLoader(), JooqTaskStore.class.getInterfaces(), (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(store, arguments);
                        if (answer instanceof Claim claim) {
                            claims.incrementAndGet();
                            emptyClaims.addAndGet(claim.tasks().isEmpty() ? 1 : 0);
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
