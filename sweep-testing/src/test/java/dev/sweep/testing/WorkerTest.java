package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Backoff;
import dev.sweep.Json;
import dev.sweep.Sweep;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The whole engine on the in-memory store: what comes out of it, with real threads. */
class WorkerTest {

    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final Backoff AT_ONCE = Backoff.fixed(Duration.ZERO);
    private static final TaskType<Json> A = TaskType.json("a");
    private static final TaskType<Json> B = TaskType.json("b");

    private final InMemoryTaskStore store = InMemoryTaskStore.create();
    private final Sweep sweep = Sweep.create(store);
    private final ConcurrentLinkedQueue<TaskEvent> events = new ConcurrentLinkedQueue<>();
    private final List<Worker> workers = new ArrayList<>();

    @AfterEach
    void closesAndKeepsTheStoreSound() {
        workers.forEach(Worker::close);
        store.checkInvariants();
    }

    @Test
    void runsAThousandTasksOfTwoQueuesOnceEach() throws InterruptedException {
        for (int i = 0; i < 500; i++) {
            sweep.enqueue(A.with(Json.of("{}")));
            sweep.enqueue(B.with(Json.of("{}")).queue("other"));
        }
        Map<TaskId, Integer> runs = new ConcurrentHashMap<>();
        Worker worker = start(builder()
                .queue("default", 4)
                .queue("other", 3)
                .handle(A, (payload, context) -> runs.merge(context.id(), 1, Integer::sum))
                .handle(B, (payload, context) -> runs.merge(context.id(), 1, Integer::sum)));

        assertThat(worker.awaitIdle(DEADLINE)).isTrue();

        assertThat(runs)
                .hasSize(1_000)
                .allSatisfy((id, count) -> assertThat(count).isEqualTo(1));
        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(1_000);
    }

    private WorkerBuilder builder() {
        return Worker.builder(sweep).backoff(AT_ONCE).listener(events::add);
    }

    private Worker start(WorkerBuilder builder) {
        Worker worker = builder.build();
        workers.add(worker);
        worker.start();
        return worker;
    }

    private long count(TaskStatus status) {
        return sweep.list(TaskQuery.newest().status(status).limit(10_000)).size();
    }
}
