package dev.sweep.jooq;

import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The tasks that one handler's transaction is about. */
final class HandlerTasks {

    private final List<ClaimedTask> tasks;

    HandlerTasks(List<ClaimedTask> tasks) {
        if (tasks.isEmpty()) {
            throw new IllegalArgumentException("a transaction must be about at least one task");
        }
        this.tasks = List.copyOf(tasks);
    }

    /** Refuses to complete other tasks, or one twice. */
    void check(List<Completion> completions) {
        Set<Attempt> known = tasks.stream().map(ClaimedTask::attempt).collect(Collectors.toSet());
        for (Completion completion : completions) {
            if (!known.remove(completion.attempt())) {
                throw new IllegalArgumentException("the work completed " + completion.attempt()
                        + ", which is not one of " + this + ", or twice; nothing was written");
            }
        }
    }

    /** For messages: the first of them stands for all. */
    @Override
    public String toString() {
        ClaimedTask first = tasks.get(0);
        String one = "task " + first.id() + " (type " + first.type() + ")";
        return tasks.size() == 1 ? one : one + " and " + (tasks.size() - 1) + " more";
    }
}
