package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.StoreException;
import dev.sweep.StoreUnavailableException;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.event.TaskEvent;
import dev.sweep.spi.Completion;
import dev.sweep.spi.TaskStore;
import dev.sweep.worker.Worker;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkerOutagesTest extends WorkerSetting {

    @Test
    void outlivesAStoreThatIsAwayForAWhile() throws InterruptedException {
        AtomicBoolean isAway = new AtomicBoolean();
        TaskStore unsteady = InterceptedStore.of(store, (method, arguments) -> {
            if (isAway.get()) {
                throw new StoreUnavailableException("connection refused");
            }
        });
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        TaskId first = enqueue(A);
        Worker worker = start(builder(unsteady).handle(A, (payload, context) -> {
            started.countDown();
            await(release);
        }));
        await(started);

        isAway.set(true);
        release.countDown();
        TaskEvent.LoopFailed failed = await(TaskEvent.LoopFailed.class);
        assertThat(failed.cause()).isInstanceOf(StoreUnavailableException.class);
        assertThat(worker.health().isUp()).isFalse();
        assertThat(worker.health().downReasons())
                .anySatisfy(reason -> assertThat(reason).contains("connection refused"));
        List<TaskId> meanwhile = enqueue(A, 5);
        isAway.set(false);

        assertThat(worker.awaitIdle(DEADLINE)).isTrue();
        assertThat(task(first).status()).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(meanwhile).allSatisfy(id -> assertThat(task(id).status()).isEqualTo(TaskStatus.SUCCEEDED));
        await(TaskEvent.LoopRecovered.class);
    }

    @Test
    void anOutageIsToldOncePerLoop() throws InterruptedException {
        AtomicInteger claims = new AtomicInteger();
        CountDownLatch severalTries = new CountDownLatch(4);
        TaskStore unsteady = InterceptedStore.of(store, (method, arguments) -> {
            if (method.equals("claim") && claims.getAndIncrement() < 4) {
                severalTries.countDown();
                throw new StoreUnavailableException("connection refused");
            }
        });
        enqueue(A);

        Worker worker = start(builder(unsteady).handle(A, (payload, context) -> {}));
        await(severalTries);

        assertThat(worker.awaitIdle(DEADLINE)).isTrue();
        assertThat(events.all(TaskEvent.LoopFailed.class)).hasSize(1);
        assertThat(events.all(TaskEvent.LoopRecovered.class)).hasSize(1);
    }

    @Test
    void anAnswerThatWasLostIsNotToldAsARefusal() throws InterruptedException {
        AtomicBoolean isLost = new AtomicBoolean(true);
        TaskStore forgetful = InterceptedStore.of(store, (method, arguments) -> {
            if (method.equals("complete") && isLost.getAndSet(false)) {
                store.complete(completionsOf(arguments));
                throw new StoreUnavailableException("the connection broke; whether the commit happened is unknown");
            }
        });
        TaskId id = enqueue(A);

        drain(builder(forgetful).handle(A, (payload, context) -> {}));

        assertThat(isLost).isFalse();
        assertThat(task(id).status()).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(events.all(TaskEvent.OutcomeRefused.class)).isEmpty();
    }

    @Test
    void anOutcomeThatCannotBeStoredFailsItsOwnTaskOnly() throws InterruptedException {
        TaskId unstorable = sweep.enqueue(A.with(EMPTY).maxRetries(0)).id();
        List<TaskId> others = enqueue(A, 30);
        TaskStore picky = InterceptedStore.of(store, (method, arguments) -> {
            if (method.equals("complete")
                    && completionsOf(arguments).stream()
                            .anyMatch(each -> each.attempt().id().equals(unstorable))) {
                throw new StoreException("value out of range");
            }
        });

        drain(builder(picky).handle(A, (payload, context) -> {}));

        assertThat(others).allSatisfy(id -> assertThat(task(id).status()).isEqualTo(TaskStatus.SUCCEEDED));
        assertThat(task(unstorable).status()).isEqualTo(TaskStatus.FAILED);
        assertThat(task(unstorable).error())
                .get()
                .asString()
                .contains("the outcome could not be stored", "value out of range");
        assertThat(await(TaskEvent.OutcomeUnstorable.class).id()).isEqualTo(unstorable);
    }

    @Test
    void anOutcomeThatCannotBeStoredAtAllIsLeftToLapse() throws InterruptedException {
        TaskId unstorable = sweep.enqueue(A.with(EMPTY).maxRetries(0)).id();
        TaskStore picky = InterceptedStore.of(store, (method, arguments) -> {
            if (method.equals("complete") || method.equals("fail")) {
                throw new StoreException("permission denied");
            }
        });

        Worker worker = start(builder(picky).handle(A, (payload, context) -> {}));

        assertThat(worker.awaitIdle(DEADLINE)).isTrue();
        assertThat(task(unstorable).status()).isEqualTo(TaskStatus.PROCESSING);
        assertThat(worker.health().load().unflushed()).isZero();
        assertThat(events.all(TaskEvent.OutcomeUnstorable.class)).hasSize(2);
    }

    @SuppressWarnings("unchecked")
    private static Collection<Completion> completionsOf(List<Object> arguments) {
        return (Collection<Completion>) arguments.get(0);
    }
}
