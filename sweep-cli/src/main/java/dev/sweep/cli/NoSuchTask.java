package dev.sweep.cli;

import dev.sweep.TaskId;

/** Says that an id names no task. */
final class NoSuchTask {

    private NoSuchTask() {}

    static CliException of(TaskId id) {
        return new CliException(
                ExitCode.FAILED,
                "there is no task " + id + "; check the id, --schema and --url, or its retention may be over");
    }
}
