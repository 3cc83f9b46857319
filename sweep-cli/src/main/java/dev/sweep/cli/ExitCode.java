package dev.sweep.cli;

/** How a command ends, for scripts; {@code sweep --help} lists the same. */
final class ExitCode {

    static final int OK = 0;
    /** Something failed or is not as asked: no such task, a count of the demo or the bench is off. */
    static final int FAILED = 1;
    /** Wrong options or wrong input; the message says what to mend. */
    static final int BAD_INPUT = 2;
    /** The database can't be reached or refuses the login. */
    static final int UNREACHABLE = 3;
    /** The schema is missing, too old or too new. */
    static final int SCHEMA = 4;

    /** The doctor warns. */
    static final int WARNING = 5;
    /** The doctor found a fault. */
    static final int FAULT = 6;

    private ExitCode() {}
}
