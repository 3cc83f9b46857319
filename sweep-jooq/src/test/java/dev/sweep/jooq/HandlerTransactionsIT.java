package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.Json;
import dev.sweep.StoreException;
import dev.sweep.StoreUnavailableException;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Heartbeat;
import dev.sweep.spi.HeartbeatRequest;
import dev.sweep.spi.Reclaimed;
import dev.sweep.spi.TransactionEnd;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerTransactionsIT extends HandlerSetting {

    @Test
    void effectAndCompletionAreOneCommit() throws Exception {
        ClaimedTask task = claimed();
        TransactionEnd end = run(task, connection -> {
            effect(connection, task);
            assertThat(effects()).as("seen from outside").isZero();
        });
        assertThat(end).isEqualTo(new TransactionEnd.Committed(false));
        assertThat(effects()).isEqualTo(1);
        assertThat(status(task)).isEqualTo(TaskStatus.SUCCEEDED);
    }

    @Test
    void anExceptionRollsTheEffectBackAndLeavesTheAttemptToTheFailurePath() {
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> run(task, connection -> {
                    effect(connection, task);
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(effects()).isZero();
        assertThat(status(task)).isEqualTo(TaskStatus.PROCESSING);
    }

    @Test
    void aLostAttemptLosesItsEffects() throws Exception {
        ClaimedTask task = claimed();
        TransactionEnd end = run(task, connection -> {
            test.sweep.cancel(task.id());
            effect(connection, task);
        });
        assertThat(end).isEqualTo(new TransactionEnd.Refused(attempts(task)));
        assertThat(effects()).isZero();
        assertThat(status(task)).isEqualTo(TaskStatus.CANCELLED);
    }

    /** Until the next beat: the clock was ahead when the lease was taken, and is right again. */
    @Test
    void aLeaseThatEndsFarAheadKeepsNoHandlerFromCompleting() throws Exception {
        ClaimedTask task = claimed();
        test.execute("update sweep.task_lease set lease_until = now() + interval '1 year'");

        TransactionEnd end = run(task, connection -> effect(connection, task));

        assertThat(end).isEqualTo(new TransactionEnd.Committed(false));
        assertThat(status(task)).isEqualTo(TaskStatus.SUCCEEDED);
    }

    /** Case B30: a swallowed error has aborted the transaction, and a commit would silently be a rollback. */
    @Test
    void aSwallowedErrorNeverPassesForASuccess() {
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> run(task, connection -> {
                    effect(connection, task);
                    assertThatThrownBy(() -> effect(connection, task)).isInstanceOf(SQLException.class);
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("was aborted by an earlier error that its handler swallowed");
        assertThat(effects()).isZero();
        assertThat(status(task)).isEqualTo(TaskStatus.PROCESSING);
    }

    /** Case B29, third part. */
    @Test
    void aKilledBackendIsReportedAsUnavailableAndLeavesNoEffect() {
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> run(task, connection -> {
                    effect(connection, task);
                    test.execute("select pg_terminate_backend(" + query(connection, "select pg_backend_pid()") + ")");
                }))
                .isInstanceOf(StoreUnavailableException.class);
        assertThat(effects()).isZero();
        assertThat(status(task)).isEqualTo(TaskStatus.PROCESSING);
    }

    /** A process that freezes at the worst moment: its completion has locked the row, its commit is not sent. */
    @Test
    @Timeout(30)
    void aProcessThatFreezesBeforeItsCommitHoldsItsTaskNoLongerThanItsLease() throws Exception {
        ClaimedTask task = claimed(Duration.ofMillis(300));
        CountDownLatch frozen = new CountDownLatch(1);
        CountDownLatch thawed = new CountDownLatch(1);
        JooqTaskStore store = JooqTaskStore.builder(
                        Interceptions.beforeEach(test.server.dataSource(), "commit", connection -> {
                            frozen.countDown();
                            thawed.await();
                        }))
                .schema(test.schema)
                .build();
        CompletableFuture<TransactionEnd> answer = new CompletableFuture<>();
        Thread process = new Thread(() -> {
            try {
                answer.complete(run(store, task, connection -> effect(connection, task)));
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        });
        process.setDaemon(true);
        process.start();
        frozen.await();

        Reclaimed reclaimed = test.store.reclaim(Duration.ZERO, 10);
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (reclaimed.size() == 0 && System.nanoTime() < deadline) {
            reclaimed = test.store.reclaim(Duration.ZERO, 10);
        }
        assertThat(reclaimed.returned()).containsExactly(task.attempt());
        thawed.countDown();
        assertThat(answer)
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(StoreUnavailableException.class);
        assertThat(effects()).isZero();
    }

    /** Case B30, second part. */
    @Test
    void aSwallowedTimeoutNeverPassesForASuccess() {
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> run(task, connection -> {
                    effect(connection, task);
                    execute(connection, "set local statement_timeout = '20ms'");
                    assertThatThrownBy(() -> execute(connection, "select pg_sleep(60)"))
                            .hasMessageContaining("statement timeout");
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("was aborted by an earlier error that its handler swallowed");
        assertThat(effects()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "commit",
                "commit; begin",
                "commit and chain",
                "rollback",
                "rollback and chain",
                "reset all; commit; begin",
                "end; start transaction; select 1"
            })
    void aTextualEndIsNoticed(String text) {
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> run(task, connection -> execute(connection, text)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("textual COMMIT");
        assertThat(status(task)).isEqualTo(TaskStatus.PROCESSING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "reset all",
                "set local search_path = pg_catalog",
                "set local statement_timeout = '1ms'",
                "set local lock_timeout = '1ms'",
                "set local timezone = 'Asia/Kolkata'",
                "set local datestyle = 'ISO, DMY'",
                "set constraints all immediate",
                "savepoint mine; insert into sweep.effect values (0, 2); rollback to mine",
                "create temporary table scratch (n int) on commit drop"
            })
    void whatStaysInTheTransactionDoesNotHinderTheCompletion(String text) throws Exception {
        ClaimedTask task = claimed();
        TransactionEnd end = run(task, connection -> {
            effect(connection, task);
            execute(connection, text);
        });
        assertThat(end).isEqualTo(new TransactionEnd.Committed(false));
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aHandlerMayActAsSomebodyWhoKnowsNothingOfSweep() throws Exception {
        String stranger = test.schema + "_stranger";
        test.execute("create role \"" + stranger + "\"");
        try {
            for (String who : List.of("role", "session authorization")) {
                ClaimedTask task = claimed();
                TransactionEnd end = run(task, connection -> {
                    execute(connection, "set local " + who + " \"" + stranger + "\"");
                    assertThat(query(connection, "select current_user")).isEqualTo(stranger);
                });
                assertThat(end).isEqualTo(new TransactionEnd.Committed(false));
            }
        } finally {
            test.execute("drop role \"" + stranger + "\"");
        }
    }

    @Test
    void aDeferredConstraintThatFailsAtTheCommitFailsTheAttempt() {
        test.execute("create table sweep.deferred (n int unique deferrable initially deferred)");
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> run(task, connection -> {
                    effect(connection, task);
                    execute(connection, "insert into sweep.deferred values (1), (1)");
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the database refused the commit of task " + task.id() + " (type t)")
                .hasMessageContaining("SQLSTATE 23505")
                .hasMessageContaining("nothing was written");
        assertThat(effects()).isZero();
        assertThat(status(task)).isEqualTo(TaskStatus.PROCESSING);
    }

    @Test
    void aReadOnlyTransactionIsCalledSo() {
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> run(task, connection -> execute(connection, "set transaction read only")))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("is read-only");
    }

    /** It would else look like a lost attempt, whose task nobody runs again before its lease is over. */
    @Test
    void aHandlerThatEndsItsOwnTaskFails() {
        ClaimedTask task = claimed();
        assertThatThrownBy(() -> run(task, connection -> {
                    effect(connection, task);
                    query(connection, "select sweep.cancel_task(" + task.id() + ")");
                }))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("ended task " + task.id() + " in its own transaction");
        assertThat(status(task)).isEqualTo(TaskStatus.PROCESSING);
        assertThat(effects()).isZero();
    }

    @Test
    void tasksEnqueuedOnTheHandlersConnectionArePartOfTheCommit() throws Exception {
        ClaimedTask task = claimed();
        run(task, connection -> {
            test.sweep.enqueue(connection, TaskType.json("child").with(Json.of("{}")));
            assertThat(test.count("sweep.task")).as("seen from outside").isEqualTo(1);
        });
        assertThat(test.query("select distinct xmin::text from sweep.task where type = 'child'"
                        + " union select xmin::text from sweep.task_outcome"))
                .as("transactions that wrote the child and the success")
                .hasSize(1);
    }

    /** Beats come from another connection: they must wait for nothing that the handler holds. Case B39. */
    @Test
    @Timeout(30)
    void aHandlerThatLocksItsOwnTaskIsNotInTheWayOfItsLease() throws Exception {
        ClaimedTask task = claimed(Duration.ofMillis(500));
        run(task, connection -> {
            query(connection, "select id from sweep.task where id = " + task.id() + " for update");
            query(connection, "select id from sweep.task_running where id = " + task.id() + " for update");
            Heartbeat beat = test.store.heartbeat(new HeartbeatRequest(
                    "w", Duration.ofMinutes(1), Set.of(task.attempt().lease()), attempts(task)));
            assertThat(beat.extended()).containsExactly(task.attempt().lease());
            assertThat(beat.gone()).isEmpty();
        });
        assertThat(status(task)).isEqualTo(TaskStatus.SUCCEEDED);
    }

    /** A handler that has not written yet takes its time; vacuum must not wait for it. */
    @Test
    void aHandlerThatHasNotWrittenHoldsNoTransactionId() throws Exception {
        run(
                claimed(),
                connection -> assertThat(query(connection, "select pg_current_xact_id_if_assigned()"))
                        .isNull());
    }

    @Test
    void manyTasksAreOneCommit() throws Exception {
        List<ClaimedTask> tasks = claimed(300, Duration.ofMinutes(1));
        TransactionEnd end = test.store.completeInTransaction(tasks, connection -> {
            execute(connection, "insert into sweep.effect select id from sweep.task_running");
            return completions(tasks.toArray(ClaimedTask[]::new));
        });
        assertThat(end).isEqualTo(new TransactionEnd.Committed(false));
        assertThat(test.query("select distinct xmin::text from sweep.effect"
                        + " union select xmin::text from sweep.task_outcome"
                        + " union select xmin::text from sweep.stat_delta"))
                .hasSize(1);
        assertThat(test.count("sweep.task_outcome where status = 'succeeded'")).isEqualTo(300);
        assertThat(test.query("select tasks from sweep.stat_delta"))
                .as("one statement completed all")
                .containsExactly(300L);
    }
}
