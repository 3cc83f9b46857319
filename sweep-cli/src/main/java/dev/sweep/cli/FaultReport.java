package dev.sweep.cli;

import dev.sweep.InvalidConfigurationException;
import dev.sweep.InvalidPayloadException;
import dev.sweep.InvalidTaskException;
import dev.sweep.SchemaException;
import dev.sweep.StoreUnavailableException;
import dev.sweep.SweepException;
import java.io.PrintWriter;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns what went wrong into one line on stderr and an exit code; a stack trace only with {@code --verbose}. */
final class FaultReport {

    private static final String INVALID_SCHEMA_NAME = "3F000";
    private static final String UNDEFINED_TABLE = "42P01";
    private static final String UNDEFINED_FUNCTION = "42883";
    private static final String UNDEFINED_DATABASE = "3D000";

    private FaultReport() {}

    /** Picocli could not make sense of the arguments. */
    static int ofUsage(ParameterException problem, String[] arguments) {
        CommandLine command = problem.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(prefix(command) + Printable.of(String.valueOf(problem.getMessage())));
        UnmatchedArgumentException.printSuggestions(problem, err);
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        err.flush();
        return ExitCode.BAD_INPUT;
    }

    /** A command threw. */
    static int ofExecution(Exception problem, CommandLine command, ParseResult arguments) {
        PrintWriter err = command.getErr();
        err.println(prefix(command) + Printable.of(message(problem)));
        if (isVerbose(command)) {
            problem.printStackTrace(err);
        }
        err.flush();
        return exitCode(problem);
    }

    static int exitCode(Throwable problem) {
        if (problem instanceof CliException known) {
            return known.exitCode();
        }
        if (problem instanceof InvalidTaskException
                || problem instanceof InvalidPayloadException
                || problem instanceof InvalidConfigurationException) {
            return ExitCode.BAD_INPUT;
        }
        if (problem instanceof SchemaException) {
            return ExitCode.SCHEMA;
        }
        if (problem instanceof StoreUnavailableException) {
            return ExitCode.UNREACHABLE;
        }
        String sqlState = sqlState(problem);
        if (isUnreachable(sqlState)) {
            return ExitCode.UNREACHABLE;
        }
        return isSchemaFault(sqlState) ? ExitCode.SCHEMA : ExitCode.FAILED;
    }

    /** One sentence for people: our own messages as they are, others with the class that says what kind it was. */
    static String message(Throwable problem) {
        String text = problem.getMessage() == null ? problem.toString() : problem.getMessage();
        if (problem instanceof CliException || problem instanceof SweepException) {
            return text;
        }
        SQLException sql = sqlException(problem);
        if (sql == null) {
            return problem.getClass().getSimpleName() + ": " + text + " (--verbose shows more)";
        }
        if (isUnreachable(sql.getSQLState())) {
            return "the database can't be reached: " + firstLine(sql)
                    + "; check --url, --user and the password, and that the server is up";
        }
        return "the database refused: " + firstLine(sql) + " (--verbose shows more)";
    }

    private static String firstLine(SQLException problem) {
        return String.valueOf(problem.getMessage()).lines().findFirst().orElse("no reason given");
    }

    private static boolean isUnreachable(@Nullable String sqlState) {
        return sqlState != null
                && (sqlState.startsWith("08")
                        || sqlState.startsWith("28")
                        || sqlState.startsWith("57P")
                        || sqlState.equals(UNDEFINED_DATABASE));
    }

    private static boolean isSchemaFault(@Nullable String sqlState) {
        return INVALID_SCHEMA_NAME.equals(sqlState)
                || UNDEFINED_TABLE.equals(sqlState)
                || UNDEFINED_FUNCTION.equals(sqlState);
    }

    private static @Nullable String sqlState(Throwable problem) {
        SQLException sql = sqlException(problem);
        return sql == null ? null : sql.getSQLState();
    }

    private static @Nullable SQLException sqlException(Throwable problem) {
        SQLException found = null;
        for (Throwable at = problem; at != null; at = at.getCause()) {
            if (at instanceof SQLException sql && sql.getSQLState() != null) {
                found = sql;
            }
        }
        return found;
    }

    private static String prefix(CommandLine command) {
        return command.getCommandSpec().qualifiedName() + ": ";
    }

    private static boolean isVerbose(CommandLine command) {
        OptionSpec verbose = command.getCommandSpec().findOption("--verbose");
        return verbose != null && Boolean.TRUE.equals(verbose.getValue());
    }
}
