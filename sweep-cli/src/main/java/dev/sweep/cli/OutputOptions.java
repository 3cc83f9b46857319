package dev.sweep.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of every command about what it prints; also where it prints. */
final class OutputOptions {

    /** Read by the logging configuration. */
    private static final String LOG_LEVEL = "sweep.log.level";

    @Option(names = "--json", description = "Print JSON on stdout, for machines; people read stderr.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private boolean isVerbose;

    @Option(names = "--verbose", description = "Show the log and the stack trace of an error.")
    void verbose(boolean verbose) {
        isVerbose = verbose;
        if (verbose) {
            System.setProperty(LOG_LEVEL, "INFO");
        }
    }

    boolean isVerbose() {
        return isVerbose;
    }

    boolean isJson() {
        return json;
    }

    /** Results for people. */
    PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** Everything that is not a result. */
    PrintWriter err() {
        return command.commandLine().getErr();
    }

    /** The result in the form that was asked for. */
    void result(JsonNode forMachines, String forPeople) {
        result(forMachines, List.of(forPeople));
    }

    /** The same with more than one line for people; whatever a line holds, it stays one. */
    void result(JsonNode forMachines, List<String> linesForPeople) {
        if (json) {
            out().println(JsonText.line(forMachines));
        } else {
            linesForPeople.forEach(line -> out().println(Printable.of(line)));
        }
        out().flush();
    }

    /** A remark for people, never part of the result. */
    void remark(String text) {
        err().println(Printable.of(text));
        err().flush();
    }
}
