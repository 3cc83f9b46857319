package dev.sweep.cli;

import dev.sweep.InvalidTaskException;
import dev.sweep.TaskStatus;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a status in the words of the SQL interface. */
final class TaskStatusConverter implements ITypeConverter<TaskStatus> {

    @Override
    public TaskStatus convert(String text) {
        try {
            return TaskStatus.ofWord(text);
        } catch (InvalidTaskException unknown) {
            throw new TypeConversionException(unknown.getMessage());
        }
    }
}
