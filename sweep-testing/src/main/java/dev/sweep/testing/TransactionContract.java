package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.Json;
import dev.sweep.StoreException;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import dev.sweep.spi.TransactionEnd;
import dev.sweep.spi.TransactionalStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Handlers and the completion of their tasks are one commit. What the handlers write here is children of their tasks. */
abstract class TransactionContract extends ContractPart {

    private static final TaskType<Json> CHILD = TaskType.json("child");

    private TransactionalStore transactional() {
        return (TransactionalStore) store();
    }

    /** Enqueues a child in the handler's transaction, which nobody else sees. */
    private TaskId child(Connection connection) {
        TaskId id = store().enqueue(connection, List.of(record(CHILD.with(Json.of("{}")))))
                .get(0)
                .id();
        assertThat(store().find(id)).as("seen from outside").isEmpty();
        return id;
    }

    private List<TaskId> children() {
        return store().list(TaskQuery.newest().limit(100)).stream()
                .filter(task -> task.type().equals(CHILD.name()))
                .map(task -> task.id())
                .toList();
    }

    private static List<Completion> all(ClaimedTask... tasks) {
        return Arrays.stream(tasks)
                .map(task -> new Completion(task.attempt(), RUN_TIME, "{\"of\": " + task.id() + "}"))
                .toList();
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void workAndCompletionAreOneCommit() throws Exception {
        ClaimedTask task = running(mail());
        List<TaskId> made = new ArrayList<>();

        TransactionEnd end = transactional().completeInTransaction(List.of(task), connection -> {
            made.add(child(connection));
            return all(task);
        });

        assertThat(end).isEqualTo(new TransactionEnd.Committed(false));
        assertThat(children()).isEqualTo(made);
        assertThat(status(task.id())).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(find(task.id()).result()).contains("{\"of\": " + task.id() + "}");
    }

    @Test
    void whatIsThrownComesOutAndLeavesNothingButTheAttempt() {
        ClaimedTask task = running(mail());

        assertThatThrownBy(() -> transactional().completeInTransaction(List.of(task), connection -> {
                    child(connection);
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no");

        assertThat(children()).isEmpty();
        assertThat(failForGood(task, "no")).containsExactly(task.attempt());
    }

    @Test
    void workThatCompletesNothingIsRolledBack() throws Exception {
        ClaimedTask task = running(mail());

        TransactionEnd end = transactional().completeInTransaction(List.of(task), connection -> {
            child(connection);
            return List.of();
        });

        assertThat(end).isEqualTo(new TransactionEnd.RolledBack());
        assertThat(children()).isEmpty();
        assertThat(complete(task)).containsExactly(task.attempt());
    }

    @Test
    void workForALostTaskIsRolledBack() throws Exception {
        ClaimedTask task = running(mail());

        TransactionEnd end = transactional().completeInTransaction(List.of(task), connection -> {
            child(connection);
            store().cancel(task.id());
            return all(task);
        });

        assertThat(end).isEqualTo(new TransactionEnd.Refused(Set.of(task.attempt())));
        assertThat(children()).isEmpty();
        assertThat(status(task.id())).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    void manyTasksAreOneCommitAndOneLostTaskRollsAllOfThemBack() throws Exception {
        ClaimedTask[] tasks = claimedMails(100);
        ClaimedTask lost = tasks[42];
        store().cancel(lost.id());

        TransactionEnd end = transactional().completeInTransaction(List.of(tasks), connection -> {
            child(connection);
            return all(tasks);
        });

        assertThat(end).isEqualTo(new TransactionEnd.Refused(Set.of(lost.attempt())));
        assertThat(children()).isEmpty();
        ClaimedTask[] rest =
                Arrays.stream(tasks).filter(task -> !task.equals(lost)).toArray(ClaimedTask[]::new);
        assertThat(transactional().completeInTransaction(List.of(rest), connection -> {
                    child(connection);
                    return all(rest);
                }))
                .isEqualTo(new TransactionEnd.Committed(false));
        assertThat(children()).hasSize(1);
        assertThat(rest).allMatch(task -> status(task.id()) == TaskStatus.SUCCEEDED);
    }

    @Test
    void tasksThatTheWorkDidNotCompleteRunOn() throws Exception {
        ClaimedTask[] tasks = claimedMails(3);

        TransactionEnd end = transactional().completeInTransaction(List.of(tasks), connection -> {
            child(connection);
            return all(tasks[0], tasks[2]);
        });

        assertThat(end).isEqualTo(new TransactionEnd.Committed(false));
        assertThat(children()).hasSize(1);
        assertThat(status(tasks[0].id())).isEqualTo(TaskStatus.SUCCEEDED);
        assertThat(failForGood(tasks[1], "a bad one")).containsExactly(tasks[1].attempt());
    }

    @Test
    void onlyTheGivenTasksCanBeCompletedAndEachOnce() {
        ClaimedTask task = running(mail());
        ClaimedTask other = running(mail());
        List<List<Completion>> wrong = List.of(all(other), all(task, other), all(task, task));

        for (List<Completion> completions : wrong) {
            assertThatThrownBy(() -> transactional().completeInTransaction(List.of(task), connection -> {
                        child(connection);
                        return completions;
                    }))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("nothing was written");
        }
        assertThat(children()).isEmpty();
        assertThat(complete(task, other)).hasSize(2);
    }

    @Test
    void theConnectionRefusesToEndTheTransaction() throws Exception {
        ClaimedTask task = running(mail());

        TransactionEnd end = transactional().completeInTransaction(List.of(task), connection -> {
            assertThatThrownBy(connection::commit).isInstanceOf(SQLException.class);
            assertThatThrownBy(connection::rollback).isInstanceOf(SQLException.class);
            assertThatThrownBy(connection::close).isInstanceOf(SQLException.class);
            assertThatThrownBy(() -> connection.setAutoCommit(true)).isInstanceOf(SQLException.class);
            assertThat(connection.isClosed()).isFalse();
            return all(task);
        });

        assertThat(end).isEqualTo(new TransactionEnd.Committed(false));
    }

    @Test
    void aSwallowedErrorIsNoSuccess() {
        ClaimedTask task = running(mail());

        assertThatThrownBy(() -> transactional().completeInTransaction(List.of(task), connection -> {
                    child(connection);
                    assertThatThrownBy(() -> execute(connection, "no such statement"))
                            .isInstanceOf(SQLException.class);
                    return all(task);
                }))
                .isInstanceOf(StoreException.class);

        assertThat(children()).isEmpty();
        assertThat(complete(task)).containsExactly(task.attempt());
    }

    @Test
    void aTextualCommitIsNoSuccess() {
        ClaimedTask task = running(mail());

        assertThatThrownBy(() -> transactional().completeInTransaction(List.of(task), connection -> {
                    execute(connection, "commit");
                    execute(connection, "begin");
                    return all(task);
                }))
                .isInstanceOf(StoreException.class);

        assertThat(complete(task)).containsExactly(task.attempt());
    }

    @Test
    void ofManyWhoCompleteOneAttemptOneCommits() throws Exception {
        ClaimedTask task = running(mail());

        Callable<TransactionEnd> racer = () -> transactional().completeInTransaction(List.of(task), connection -> {
            child(connection);
            return all(task);
        });
        List<TransactionEnd> ends = ContractRace.run(Collections.nCopies(8, racer));

        assertThat(ends).containsOnlyOnce(new TransactionEnd.Committed(false));
        assertThat(ends.stream().filter(TransactionEnd.Refused.class::isInstance))
                .hasSize(7);
        assertThat(children()).hasSize(1);
    }

    /** Two batches that share tasks, in opposite order. */
    @Test
    void batchesThatOverlapNeverBlockEachOther() throws Exception {
        for (int round = 0; round < 10; round++) {
            ClaimedTask[] tasks = claimedMails(20);
            List<ClaimedTask> reversed = new ArrayList<>(List.of(tasks));
            Collections.reverse(reversed);
            ClaimedTask[] backwards = reversed.toArray(ClaimedTask[]::new);

            List<TransactionEnd> ends = ContractRace.run(List.<Callable<TransactionEnd>>of(
                    () -> transactional().completeInTransaction(List.of(tasks), connection -> all(tasks)),
                    () -> transactional().completeInTransaction(reversed, connection -> all(backwards))));

            assertThat(ends).containsOnlyOnce(new TransactionEnd.Committed(false));
            Set<Attempt> every =
                    Set.copyOf(Arrays.stream(tasks).map(ClaimedTask::attempt).toList());
            assertThat(ends).containsOnlyOnce(new TransactionEnd.Refused(every));
        }
    }

    private ClaimedTask[] claimedMails(int count) {
        enqueued(count, mail());
        return claim().room(count).tasks().toArray(ClaimedTask[]::new);
    }
}
