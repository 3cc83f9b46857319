package dev.sweep.cli;

/** Where the launcher enters. */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) {
        System.exit(SweepCommand.commandLine().execute(arguments));
    }
}
