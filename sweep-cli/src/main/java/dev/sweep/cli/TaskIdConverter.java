package dev.sweep.cli;

import dev.sweep.InvalidTaskException;
import dev.sweep.TaskId;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the id of a task. */
final class TaskIdConverter implements ITypeConverter<TaskId> {

    @Override
    public TaskId convert(String text) {
        try {
            return TaskId.of(Long.parseLong(text));
        } catch (NumberFormatException | InvalidTaskException notId) {
            throw new TypeConversionException(
                    "'" + text + "' is not a task id; use the positive number that enqueue or list printed");
        }
    }
}
