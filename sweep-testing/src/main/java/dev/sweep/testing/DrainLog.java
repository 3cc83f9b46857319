package dev.sweep.testing;

import dev.sweep.TaskId;
import dev.sweep.event.TaskEvent;
import dev.sweep.event.TaskEvent.AttemptFailed;
import dev.sweep.event.TaskEvent.AttemptStarted;
import dev.sweep.event.TaskEvent.AttemptSucceeded;
import dev.sweep.event.TaskEvent.Run;
import dev.sweep.event.TaskEvent.TaskFailed;
import dev.sweep.event.TaskEventListener;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What the events of an engine tell of one drain. Not thread-safe. */
final class DrainLog implements TaskEventListener {

    private static final int NAMED = 3;

    private final Map<TaskId, Integer> startsByTask = new LinkedHashMap<>();
    private final Map<String, Integer> startsByType = new LinkedHashMap<>();
    private final Map<TaskId, String> types = new LinkedHashMap<>();
    private final List<HandlerFailure> failures = new ArrayList<>();
    private int succeeded;

    void clear() {
        startsByTask.clear();
        startsByType.clear();
        types.clear();
        failures.clear();
        succeeded = 0;
    }

    @Override
    public void onEvent(TaskEvent event) {
        if (event instanceof AttemptStarted started) {
            startsByTask.merge(started.run().id(), 1, Integer::sum);
            startsByType.merge(started.run().type(), 1, Integer::sum);
            types.put(started.run().id(), started.run().type());
        } else if (event instanceof AttemptSucceeded) {
            succeeded++;
        } else if (event instanceof AttemptFailed failed) {
            failures.add(failure(failed.run(), false, failed.cause()));
        } else if (event instanceof TaskFailed failed) {
            failures.add(failure(failed.run(), true, failed.cause()));
        }
    }

    int succeeded() {
        return succeeded;
    }

    List<HandlerFailure> failures() {
        return List.copyOf(failures);
    }

    /** Who kept a drain going: the tasks that ran again and again, or else the types that brought ever new ones. */
    String busiest() {
        boolean hasRepeated = startsByTask.values().stream().anyMatch(starts -> starts > 1);
        return hasRepeated
                ? most(startsByTask, id -> "task " + id + " (type " + types.get(id) + ")")
                : most(startsByType, type -> "tasks of type " + type);
    }

    private static <K> String most(Map<K, Integer> starts, Function<K, String> name) {
        return starts.entrySet().stream()
                .sorted(Map.Entry.<K, Integer>comparingByValue(Comparator.reverseOrder()))
                .limit(NAMED)
                .map(entry -> name.apply(entry.getKey()) + " " + entry.getValue() + " times")
                .collect(Collectors.joining(", "));
    }

    private static HandlerFailure failure(Run run, boolean isFinal, Throwable cause) {
        return new HandlerFailure(run.id(), run.type(), run.attempt(), isFinal, cause);
    }
}
