package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.Sweep;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code sweep pause}: no worker claims from a queue until it is resumed. */
@Command(
        name = "pause",
        header = "Pause queues: no worker claims from them until they are resumed; what runs goes on.",
        description = "Then lists all paused queues; without a queue it only lists them.",
        footer = {"  sweep pause bulk", "  sweep pause"})
final class PauseCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 2;

    @Parameters(paramLabel = "QUEUE", arity = "0..*", description = "The queues to pause.")
    private List<String> queues = new ArrayList<>();

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            queues.forEach(opened.sweep()::pauseQueue);
            tellPaused(opened.sweep(), output);
            if (!queues.isEmpty()) {
                output.remark(AuditLine.of(opened, "pause of queue " + String.join(", ", queues)));
            }
        }
        return ExitCode.OK;
    }

    static void tellPaused(Sweep sweep, OutputOptions output) {
        Set<String> paused = sweep.admin().pausedQueues();
        ObjectNode json = JsonText.object();
        ArrayNode names = json.putArray("paused");
        paused.forEach(names::add);
        output.result(json, paused.isEmpty() ? "no queue is paused" : "paused: " + String.join(", ", paused));
    }
}
