package dev.sweep.testing;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.sweep.Sweep;
import dev.sweep.Task;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Says what waits in a store, for a test that expected it to have run. */
final class WaitingTasks {

    private static final int LOOKED_AT = 1_000;

    private final Sweep sweep;

    WaitingTasks(Sweep sweep) {
        this.sweep = sweep;
    }

    @Override
    public String toString() {
        List<Task> waiting =
                sweep.list(TaskQuery.newest().status(TaskStatus.PENDING).limit(LOOKED_AT));
        return waiting.isEmpty() ? "no task waits" : "waiting: " + byType(waiting);
    }

    private static String byType(List<Task> tasks) {
        Map<String, String> byType = tasks.stream()
                .collect(groupingBy(Task::type, TreeMap::new, collectingAndThen(toList(), WaitingTasks::few)));
        return byType.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String few(Collection<Task> tasks) {
        Task next = tasks.stream().min(Comparator.comparing(Task::dueAt)).orElseThrow();
        return "(" + tasks.size() + ", the next due at " + next.dueAt() + ", queue " + next.queue() + ")";
    }
}
