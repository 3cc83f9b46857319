package dev.sweep.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.TaskId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskEventTest {

    /** A listener may keep an event; the engine goes on with its lists. */
    @Test
    void eventsCopyTheirLists() {
        List<String> names = new ArrayList<>(List.of("a"));
        List<TaskId> ids = new ArrayList<>(List.of(TaskId.of(1)));
        var started = new TaskEvent.WorkerStarted("w", names, names);
        var orphans = new TaskEvent.OrphansRemoved("w", ids);
        var reclaimed = new TaskEvent.TasksReclaimed("w", ids, ids);
        names.clear();
        ids.clear();

        assertThat(started.queues()).containsExactly("a").isUnmodifiable();
        assertThat(started.types()).containsExactly("a").isUnmodifiable();
        assertThat(orphans.ids()).containsExactly(TaskId.of(1)).isUnmodifiable();
        assertThat(reclaimed.returned()).containsExactly(TaskId.of(1)).isUnmodifiable();
        assertThat(reclaimed.failed()).containsExactly(TaskId.of(1)).isUnmodifiable();
    }
}
