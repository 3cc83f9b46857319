package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.Json;
import dev.sweep.RetryPolicy;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent.AttemptSucceeded;
import dev.sweep.event.TaskEvent.WorkerStarted;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Types that had another name before. */
class WorkerAliasesTest extends WorkerSetting {

    private static final TaskType<Json> RENAMED =
            TaskType.json("new").alias("a").alias("b");

    @Test
    void tasksUnderFormerNamesAreRunByTheHandlerOfTheNewOne() throws Exception {
        TaskId first = enqueue(A);
        TaskId second = enqueue(B);
        TaskId third = enqueue(RENAMED);
        Map<TaskId, String> types = new ConcurrentHashMap<>();

        drain(builder().handle(RENAMED, (payload, context) -> types.put(context.id(), context.type())));

        assertThat(types).isEqualTo(Map.of(first, "a", second, "b", third, "new"));
        assertThat(task(first).type()).isEqualTo("a");
        assertThat(task(third).type()).isEqualTo("new");
        assertThat(events.all(AttemptSucceeded.class))
                .extracting(event -> event.run().type())
                .containsExactlyInAnyOrder("a", "b", "new");
        assertThat(await(WorkerStarted.class).types()).containsExactlyInAnyOrder("a", "b", "new");
    }

    @Test
    void whatIsSetForATypeHoldsForItsFormerNames() throws Exception {
        TaskId id = enqueue(A);

        drain(builder().retryPolicy(RENAMED, RetryPolicy.never()).handle(RENAMED, (payload, context) -> {
            throw new IllegalStateException("broken");
        }));

        assertThat(task(id).status()).isEqualTo(TaskStatus.FAILED);
        assertThat(task(id).retryCount()).isZero();
    }

    @Test
    void anAliasOfTwoTypesIsRefused() {
        TaskType<Json> other = TaskType.json("other").alias("b");

        assertThatThrownBy(() -> builder()
                        .handle(RENAMED, (payload, context) -> {})
                        .handle(other, (payload, context) -> {})
                        .build())
                .hasMessage(
                        "type 'other' has the alias 'b', under which tasks of type 'new' run; leave the alias or the"
                                + " other handler out");
    }

    @Test
    void anAliasThatHasAHandlerOfItsOwnIsRefused() {
        assertThatThrownBy(() -> builder()
                        .handle(RENAMED, (payload, context) -> {})
                        .handle(A, (payload, context) -> {})
                        .build())
                .hasMessageContaining("type 'new' has the alias 'a', under which tasks of type 'a' run");
    }
}
