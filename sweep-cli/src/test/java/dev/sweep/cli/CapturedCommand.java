package dev.sweep.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Optional;

/** What a command printed and how it ended. */
record CapturedCommand(int exitCode, String out, String err) {

    static CapturedCommand run(String... arguments) {
        return run((question, err) -> Optional.empty(), arguments);
    }

    static CapturedCommand run(Confirmation confirmation, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = SweepCommand.commandLine(new PrintWriter(out, true), new PrintWriter(err, true), confirmation)
                .execute(arguments);
        return new CapturedCommand(exitCode, out.toString(), err.toString());
    }

    /** The last line on stdout. */
    String lastLine() {
        return out.lines().reduce("", (before, line) -> line);
    }
}
