package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.spi.Listening;
import dev.sweep.spi.TaskRecord;
import dev.sweep.spi.WakeUp;
import dev.sweep.spi.WakingStore;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When callers of {@link Sweep} wake workers, and when they must not. */
class AnnouncementsTest {

    private static final TaskType<Json> MAIL = TaskType.json("mail");
    private static final TaskType<Json> BILL = TaskType.json("bill").inQueue("bills");
    private static final Json NOTHING = Json.of("{}");

    private final TellTale store = new TellTale();
    private final Sweep sweep = Sweep.create(store);

    @Test
    void anEnqueueTellsItsQueueOnceItIsDurable() {
        sweep.enqueue(MAIL.with(NOTHING));
        assertThat(store.calls).containsExactly("enqueue", "announce NewTasks[queue=default]");
    }

    @Test
    void aBatchTellsEachOfItsQueuesOnce() {
        sweep.enqueueAll(List.of(MAIL.with(NOTHING), BILL.with(NOTHING), MAIL.with(NOTHING), BILL.with(NOTHING)));
        assertThat(store.announced)
                .containsExactlyInAnyOrder(new WakeUp.NewTasks("default"), new WakeUp.NewTasks("bills"));
    }

    @Test
    void duplicatesTellNothing() {
        store.isNew = false;
        sweep.enqueue(MAIL.with(NOTHING));
        assertThat(store.announced).isEmpty();
    }

    @Test
    void nothingIsToldWithinATransactionOfTheCallers() {
        sweep.enqueue(connection(false), MAIL.with(NOTHING));
        sweep.enqueueAll(connection(false), List.of(MAIL.with(NOTHING)));
        assertThat(store.announced).isEmpty();

        sweep.announce("default", "bills");
        assertThat(store.announced).containsExactly(new WakeUp.NewTasks("default"), new WakeUp.NewTasks("bills"));
    }

    @Test
    void aConnectionThatCommitsByItselfTellsAtOnce() {
        sweep.enqueue(connection(true), MAIL.with(NOTHING));
        assertThat(store.announced).containsExactly(new WakeUp.NewTasks("default"));
    }

    @Test
    void aConnectionThatDoesNotSayWhetherItCommitsTellsNothing() {
        assertThat(sweep.enqueue(connection(null), MAIL.with(NOTHING)).isNew()).isTrue();
        assertThat(store.announced).isEmpty();
    }

    @Test
    void aCancelTellsWhoRunsTheTask() {
        sweep.cancel(TaskId.of(1));
        assertThat(store.calls).containsExactly("cancel 1", "announce TasksCancelled[]");
    }

    @Test
    void aCancelThatCameTooLateTellsNothing() {
        store.status = Optional.of(TaskStatus.SUCCEEDED);
        sweep.cancel(TaskId.of(1));
        store.status = Optional.empty();
        sweep.cancel(TaskId.of(2));
        assertThat(store.announced).isEmpty();
    }

    @Test
    void aResumedQueueIsToldAsOneWhoseTasksCameBack() {
        sweep.pauseQueue("bills");
        assertThat(store.announced).isEmpty();
        sweep.resumeQueue("bills");
        assertThat(store.calls).containsExactly("pause bills", "resume bills", "announce TasksReturned[queue=bills]");
    }

    @Test
    void aStoreThatTellsNothingIsNotAsked() {
        RecordingTaskStore silent = new RecordingTaskStore();
        Sweep quiet = Sweep.create(silent);
        quiet.enqueue(MAIL.with(NOTHING));
        quiet.announce("default");
        assertThat(silent.calls).containsExactly("enqueue");
    }

    @Test
    void aQueueThatCanNotExistIsRefused() {
        assertThatThrownBy(() -> sweep.announce("q".repeat(201)))
                .isInstanceOf(InvalidTaskException.class)
                .hasMessageContaining("queue");
        assertThat(store.announced).isEmpty();
    }

    /** @param autoCommit null: it is broken */
    private static Connection connection(Boolean autoCommit) {
        return (Connection) Proxy.newProxyInstance(
                AnnouncementsTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> {
                    if (autoCommit == null) {
                        throw new SQLException("connection reset");
                    }
                    return autoCommit;
                });
    }

    private static final class TellTale extends RecordingTaskStore implements WakingStore {

        final List<WakeUp> announced = new ArrayList<>();
        boolean isNew = true;
        Optional<TaskStatus> status = Optional.of(TaskStatus.CANCELLED);

        @Override
        public List<Enqueued> enqueue(List<TaskRecord> tasks) {
            return super.enqueue(tasks).stream()
                    .map(answer -> new Enqueued(answer.id(), isNew))
                    .toList();
        }

        @Override
        public Optional<TaskStatus> cancel(TaskId id) {
            super.cancel(id);
            return status;
        }

        @Override
        public void announce(WakeUp wakeUp) {
            calls.add("announce " + wakeUp);
            announced.add(wakeUp);
        }

        @Override
        public Optional<Listening> listen() {
            return Optional.empty();
        }
    }
}
