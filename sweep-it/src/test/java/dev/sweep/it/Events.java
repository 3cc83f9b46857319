package dev.sweep.it;

import dev.sweep.event.TaskEvent;
import dev.sweep.event.TaskEventListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records what workers tell. */
final class Events implements TaskEventListener {

    private final List<TaskEvent> all = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(TaskEvent event) {
        all.add(event);
    }

    <E extends TaskEvent> List<E> of(Class<E> kind) {
        return all.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    void await(Class<? extends TaskEvent> kind, int number) {
        Awaiting.until(number + " events tell of " + kind.getSimpleName(), () -> of(kind).size() >= number);
    }
}
