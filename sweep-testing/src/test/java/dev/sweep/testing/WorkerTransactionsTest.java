package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.event.TaskEvent;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Completion;
import dev.sweep.spi.TaskStore;
import dev.sweep.spi.TransactionEnd;
import dev.sweep.spi.TransactionalStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How the engine treats a store with transactions; what such a store itself does is tested on PostgreSQL. */
class WorkerTransactionsTest extends WorkerSetting {

    private final Connection connection = (Connection) Proxy.newProxyInstance(
            WorkerTransactionsTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> null);
    private final AtomicReference<Runnable> onHeartbeat = new AtomicReference<>(() -> {});

    @Test
    void theHandlerGetsTheConnectionAndNothingIsCompletedASecondTime() throws InterruptedException {
        TaskId id = enqueue(A);
        AtomicReference<Connection> seen = new AtomicReference<>();

        drain(builder(transactional(() -> {}))
                .handleInTransaction(A, (payload, context) -> seen.set(context.connection())));

        assertThat(seen.get()).isSameAs(connection);
        assertThat(task(id).status()).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(events.all(TaskEvent.AttemptSucceeded.class)).hasSize(1);
        assertThat(events.all(TaskEvent.OutcomeRefused.class)).isEmpty();
    }

    @Test
    void whatTheHandlerThrowsFailsTheAttempt() throws InterruptedException {
        TaskId id = sweep.enqueue(A.with(EMPTY).maxRetries(1)).id();

        drain(builder(transactional(() -> {})).handleInTransaction(A, (payload, context) -> {
            throw new IllegalStateException("attempt " + context.attempt());
        }));

        assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED);
        assertThat(task(id).retryCount()).isEqualTo(1);
        assertThat(task(id).error()).contains("attempt 2");
    }

    @Test
    void anAttemptThatLostItsTaskMeanwhileIsToldAsRefused() throws InterruptedException {
        TaskId id = enqueue(A);

        drain(builder(transactional(() -> {})).handleInTransaction(A, (payload, context) -> sweep.cancel(id)));

        assertThat(task(id).status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(events.all(TaskEvent.OutcomeRefused.class)).hasSize(1);
        assertThat(events.all(TaskEvent.AttemptSucceeded.class)).isEmpty();
    }

    @Test
    void noInterruptHitsTheCompletion() throws Exception {
        TaskId id = enqueue(A);
        AtomicBoolean wasInterrupted = new AtomicBoolean();
        CountDownLatch isCompleting = new CountDownLatch(1);
        CountDownLatch beforeCompletion = new CountDownLatch(1);
        start(builder(transactional(() -> {
                    isCompleting.countDown();
                    try {
                        beforeCompletion.await();
                    } catch (InterruptedException hit) {
                        wasInterrupted.set(true);
                    }
                }))
                .heartbeat(Duration.ofMillis(5))
                .handleInTransaction(
                        A, (payload, context) -> Thread.currentThread().interrupt()));
        await(isCompleting);
        sweep.cancel(id);
        // When the second of these begins, the answer to the first has been dealt with.
        CountDownLatch twoBeats = new CountDownLatch(2);
        onHeartbeat.set(twoBeats::countDown);
        await(twoBeats);

        beforeCompletion.countDown();
        await(TaskEvent.OutcomeRefused.class);

        assertThat(wasInterrupted).isFalse();
        assertThat(events.all(TaskEvent.AttemptInterrupted.class)).isEmpty();
    }

    private interface StoreWithTransactions extends TaskStore, TransactionalStore {}

    /** The store in memory with what a transaction comes down to: run, then complete, or nothing. */
    private TaskStore transactional(Runnable beforeComplete) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("completeInTransaction")) {
                List<Completion> completions = ((TransactionalStore.TransactionWork) arguments[1]).run(connection);
                beforeComplete.run();
                Set<Attempt> refused =
                        completions.stream().map(Completion::attempt).collect(Collectors.toCollection(HashSet::new));
                refused.removeAll(store.complete(completions));
                return refused.isEmpty() ? new TransactionEnd.Committed(false) : new TransactionEnd.Refused(refused);
            }
            if (method.getName().equals("heartbeat")) {
                onHeartbeat.get().run();
            }
            try {
                return method.invoke(store, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        };
        return (TaskStore) Proxy.newProxyInstance(
                WorkerTransactionsTest.class.getClassLoader(), new Class<?>[] {StoreWithTransactions.class}, handler);
    }
}
