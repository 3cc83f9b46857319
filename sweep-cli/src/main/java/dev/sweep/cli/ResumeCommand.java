package dev.sweep.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sweep resume}: workers claim from a queue again. */
@Command(
        name = "resume",
        header = "Resume paused queues: workers claim from them again.",
        description = "Then lists the queues that are still paused.",
        footer = "  sweep resume bulk")
final class ResumeCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 2;

    @Parameters(paramLabel = "QUEUE", arity = "1..*", description = "The queues to resume.")
    private List<String> queues = new ArrayList<>();

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            queues.forEach(opened.sweep()::resumeQueue);
            PauseCommand.tellPaused(opened.sweep(), output);
            output.remark(AuditLine.of(opened, "resume of queue " + String.join(", ", queues)));
        }
        return ExitCode.OK;
    }
}
