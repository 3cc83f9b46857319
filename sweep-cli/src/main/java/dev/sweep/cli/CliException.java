package dev.sweep.cli;

/** Ends a command with one line on stderr and an exit code. */
final class CliException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    CliException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    CliException(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    static CliException badInput(String message) {
        return new CliException(ExitCode.BAD_INPUT, message);
    }

    int exitCode() {
        return exitCode;
    }
}
