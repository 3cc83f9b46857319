package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.Outcome;
import dev.sweep.StoreUnavailableException;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.event.TaskEvent;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Completion;
import dev.sweep.spi.TaskStore;
import dev.sweep.spi.TransactionEnd;
import dev.sweep.spi.TransactionalStore;
import dev.sweep.worker.WorkerBuilder;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
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
    private final List<Integer> commits = Collections.synchronizedList(new ArrayList<>());
    private boolean isInDoubt;
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

    @Test
    void onlyACompletionCommitsAndAnyOtherOutcomeIsRecordedApart() throws InterruptedException {
        TaskId completed = sweep.enqueue(A.with(Json.of("\"complete\""))).id();
        TaskId failed = sweep.enqueue(A.with(Json.of("\"fail\""))).id();
        TaskId snoozed = sweep.enqueue(A.with(Json.of("\"snooze\""))).id();

        drain(builder(transactional(() -> {}))
                .handleInTransactionForOutcome(A, (payload, context) -> switch (payload.text()) {
                    case "\"complete\"" -> Outcome.complete(List.of(1, 2));
                    case "\"fail\"" -> Outcome.fail("never");
                    default -> Outcome.snooze(Duration.ofDays(1));
                }));

        assertThat(task(completed).status()).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(task(completed).result()).contains("[1,2]");
        assertThat(task(failed).status()).isEqualTo(TaskStatus.FAILED);
        assertThat(task(snoozed).status()).isEqualTo(TaskStatus.PENDING);
        assertThat(commits).containsExactly(1);
    }

    @Test
    void aResultThatCanNotBeStoredCommitsNothing() throws InterruptedException {
        TaskId id = sweep.enqueue(A.with(EMPTY).maxRetries(0)).id();

        drain(builder(transactional(() -> {}))
                .handleInTransactionForOutcome(A, (payload, context) -> Outcome.complete("a\u0000b")));

        assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED);
        assertThat(commits).isEmpty();
    }

    /** It never gets an answer here, so it is lost again and again, until it has been lost too often. */
    @Test
    void aTransactionInDoubtIsToldAndItsTaskTakenBackAtOnce() throws InterruptedException {
        TaskId id = enqueue(A);
        isInDoubt = true;

        drain(builder(transactional(() -> {})).handleInTransaction(A, (payload, context) -> {}));

        assertThat(events.all(TaskEvent.CommitInDoubt.class))
                .hasSize(1 + A.maxLosses())
                .allSatisfy(inDoubt -> {
                    assertThat(inDoubt.ids()).containsExactly(id);
                    assertThat(inDoubt.isFoundCommitted()).isFalse();
                });
        assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED);
        assertThat(events.all(TaskEvent.OutcomeRefused.class)).isEmpty();
    }

    @Test
    void aBatchIsCompletedInOneTransaction() throws InterruptedException {
        enqueue(A, 10);

        drain(inOneSlot().handleBatchInTransaction(A, 10, batch -> {
            assertThat(batch.connection()).isSameAs(connection);
        }));

        assertThat(count(TaskStatus.SUCCEEDED)).isEqualTo(10);
        assertThat(commits.stream().mapToInt(Integer::intValue).sum()).isEqualTo(10);
        assertThat(commits.size()).isLessThan(10);
    }

    @Test
    void aTaskOfABatchThatEndsOtherwiseOrIsGoneKeepsNoOtherBack() throws InterruptedException {
        TaskId bad = sweep.enqueue(A.with(Json.of("\"bad\""))).id();
        TaskId gone = sweep.enqueue(A.with(Json.of("\"gone\""))).id();
        List<TaskId> good = enqueue(A, 6);

        drain(inOneSlot()
                .handleBatchInTransaction(
                        A,
                        8,
                        batch -> batch.items().forEach(item -> {
                            if (item.payload().text().equals("\"bad\"")) {
                                item.end(Outcome.fail("no such account"));
                            }
                            if (item.payload().text().equals("\"gone\"")) {
                                sweep.cancel(item.context().id());
                            }
                        })));

        assertThat(task(bad).status()).isEqualTo(TaskStatus.FAILED);
        assertThat(task(gone).status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(good).allSatisfy(id -> {
            assertThat(task(id).status()).isEqualTo(TaskStatus.SUCCEEDED);
            assertThat(task(id).retryCount()).isZero();
        });
    }

    @Test
    void afterAnExceptionEachTaskOfABatchHasATransactionOfItsOwn() throws InterruptedException {
        TaskId bad = sweep.enqueue(A.with(Json.of("\"bad\"")).maxRetries(0)).id();
        List<TaskId> good = enqueue(A, 7);

        drain(inOneSlot()
                .handleBatchInTransaction(
                        A,
                        8,
                        batch -> batch.payloads().forEach(payload -> {
                            if (payload.text().equals("\"bad\"")) {
                                throw new IllegalStateException("one is bad");
                            }
                        })));

        assertThat(task(bad).status()).isEqualTo(TaskStatus.FAILED);
        assertThat(good).allSatisfy(id -> {
            assertThat(task(id).status()).isEqualTo(TaskStatus.SUCCEEDED);
            assertThat(task(id).retryCount()).isZero();
        });
    }

    private WorkerBuilder inOneSlot() {
        return builder(transactional(() -> {})).queue("default", 1).batch(10, 10);
    }

    private interface StoreWithTransactions extends TaskStore, TransactionalStore {}

    /** The store in memory with what a transaction comes down to: run, then complete, or nothing. */
    private TaskStore transactional(Runnable beforeComplete) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals("completeInTransaction")) {
                List<Completion> completions = ((TransactionalStore.TransactionWork) arguments[1]).run(connection);
                beforeComplete.run();
                if (completions.isEmpty()) {
                    return new TransactionEnd.RolledBack();
                }
                if (isInDoubt) {
                    return new TransactionEnd.Unknown(new StoreUnavailableException("gone", null));
                }
                commits.add(completions.size());
                Set<Attempt> refused =
                        completions.stream().map(Completion::attempt).collect(Collectors.toCollection(HashSet::new));
                refused.removeAll(store.complete(completions));
                return refused.isEmpty() ? new TransactionEnd.Committed(false) : new TransactionEnd.Refused(refused);
            }
            if (method.getName().equals("connectionBudget")) {
                return Optional.empty();
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
