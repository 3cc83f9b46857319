package dev.sweep.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code sweep} command itself; it only knows its sub-commands. */
@Command(
        name = "sweep",
        mixinStandardHelpOptions = true,
        version = "sweep 0.1.0-SNAPSHOT",
        description = "Durable task queues on PostgreSQL.")
final class Main implements Runnable {

    @Spec
    private CommandSpec spec;

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "name a sub-command");
    }
}
