package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.KnownWorker;
import dev.sweep.StoreException;
import dev.sweep.Sweep;
import dev.sweep.TaskType;
import dev.sweep.spi.PresenceStore;
import dev.sweep.spi.TaskStore;
import dev.sweep.worker.Worker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** People can see a worker, and it does not depend on that. */
@Timeout(60)
class WorkerPresenceTest {

    private static final TaskType<Json> MAIL = TaskType.json("mail");

    private final InMemoryTaskStore store = InMemoryTaskStore.create();

    @Test
    void aWorkerIsShownWhileItRunsAndAsStoppedAfterwards() {
        try (Worker worker = worker(store, () -> {})) {
            worker.start();
            until(() -> !store.workers().isEmpty()
                    && store.workers().get(0).presence().listening().equals("listening"));
            KnownWorker known = store.workers().get(0);
            assertThat(known.presence().name()).isEqualTo(worker.name());
            assertThat(known.presence().slots()).isEqualTo(3);
            assertThat(known.presence().queues()).containsExactly("post");
            assertThat(known.presence().types()).containsExactly("mail");
            assertThat(known.presence().pid()).isEqualTo(ProcessHandle.current().pid());
            assertThat(known.stoppedAt()).isEmpty();
        }
        assertThat(store.workers())
                .singleElement()
                .matches(known -> known.stoppedAt().isPresent());
    }

    @Test
    void aStoreThatCanNotShowItDisturbsNoWorker() throws InterruptedException {
        AtomicInteger refused = new AtomicInteger();
        CountDownLatch ran = new CountDownLatch(1);
        try (Worker worker = worker(refusing(refused), ran::countDown)) {
            worker.start();
            until(() -> refused.get() > 0);
            Sweep.create(store).enqueue(MAIL.with(Json.of("{}")).queue("post"));
            assertThat(ran.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(worker.health().isUp()).isTrue();
        }
        assertThat(refused.get()).as("the end is tried, too").isGreaterThan(1);
    }

    private static Worker worker(TaskStore store, Runnable handler) {
        return Worker.builder(Sweep.create(store))
                .queue("post", 3)
                .handle(MAIL, (mail, context) -> handler.run())
                .logging(event -> {})
                .stopTimeout(Duration.ofSeconds(5))
                .build();
    }

    private TaskStore refusing(AtomicInteger refused) {
        return (TaskStore) Proxy.newProxyInstance(
                WorkerPresenceTest.class.getClassLoader(),
                new Class<?>[] {TaskStore.class, PresenceStore.class},
                (proxy, method, arguments) -> {
                    if (method.getDeclaringClass() == PresenceStore.class) {
                        refused.incrementAndGet();
                        throw new StoreException("permission denied for table worker", null);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private static void until(BooleanSupplier holds) {
        while (!holds.getAsBoolean()) {
            LockSupport.parkNanos(5_000_000);
        }
    }
}
