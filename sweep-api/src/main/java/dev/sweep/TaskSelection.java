package dev.sweep;

import java.util.List;
import java.util.Optional;

/**
 * The tasks that matched a filter at one moment, for people to look at before they change them: exactly these ids will be
 * changed, however many more match by then. Each is still judged by the status that it has when its turn comes.
 *
 * @param ids oldest first
 * @param isCutOff whether more matched than a selection holds; those are newer than the newest of these
 */
public record TaskSelection(List<TaskId> ids, boolean isCutOff) {

    /** How many tasks a selection holds. */
    public static final int MAX_TASKS = 1_000_000;

    public TaskSelection {
        ids = List.copyOf(ids);
        if (ids.size() > MAX_TASKS) {
            throw new InvalidTaskException(
                    "a selection of " + ids.size() + " tasks is too large; use at most " + MAX_TASKS);
        }
    }

    /** These tasks, whatever they are like. */
    public static TaskSelection of(List<TaskId> ids) {
        return new TaskSelection(ids.stream().distinct().sorted().toList(), false);
    }

    public int count() {
        return ids.size();
    }

    /** The cut-off: {@link TaskFilter#upTo} with it excludes all that came later. Empty if nothing matched. */
    public Optional<TaskId> newest() {
        return ids.isEmpty() ? Optional.empty() : Optional.of(ids.get(ids.size() - 1));
    }

    /** How many, not which: there may be a million. */
    @Override
    public String toString() {
        return "TaskSelection[" + ids.size() + " tasks" + (isCutOff ? ", cut off" : "") + "]";
    }
}
