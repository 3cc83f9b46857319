package dev.sweep.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Tells a waiting person how far long work is: one line that is rewritten on a terminal, else a few lines, further and
 * further apart, so that a log is not flooded. Thread-safe.
 */
final class ProgressLine {

    /** Set by the launcher, which can see whether stderr is a terminal; Java can't. */
    private static final String TERMINAL = "sweep.terminal";

    private static final Duration TERMINAL_INTERVAL = Duration.ofMillis(200);
    private static final Duration FIRST_LOG_INTERVAL = Duration.ofSeconds(1);
    /** After this many lines the interval doubles. */
    private static final int LINES_PER_INTERVAL = 6;

    private static final int MAX_LOG_LINES = 30;
    private static final String ERASE_LINE = "\r\u001b[K";

    private final PrintWriter err;
    private final boolean isTerminal;
    private final boolean isLogged;
    private final LongSupplier nanoTime;
    private long lastShownAt;
    private int logLines;
    private boolean isOnScreen;

    private ProgressLine(PrintWriter err, boolean isTerminal, boolean isLogged, LongSupplier nanoTime) {
        this.err = err;
        this.isTerminal = isTerminal;
        this.isLogged = isLogged;
        this.nanoTime = nanoTime;
        this.lastShownAt = nanoTime.getAsLong();
    }

    /** Shows progress on a terminal only. */
    static ProgressLine onTerminal(PrintWriter err) {
        return new ProgressLine(err, isStderrTerminal(), false, System::nanoTime);
    }

    /** Shows progress everywhere: where there is no terminal, at most 30 lines. */
    static ProgressLine everywhere(PrintWriter err) {
        return new ProgressLine(err, isStderrTerminal(), true, System::nanoTime);
    }

    static ProgressLine of(PrintWriter err, boolean isTerminal, LongSupplier nanoTime) {
        return new ProgressLine(err, isTerminal, true, nanoTime);
    }

    /** Shows the text if the last one is old enough; else it isn't even asked for. */
    synchronized void show(Supplier<String> text) {
        if (!isTerminal && (!isLogged || logLines >= MAX_LOG_LINES)) {
            return;
        }
        long now = nanoTime.getAsLong();
        if (now - lastShownAt < interval().toNanos()) {
            return;
        }
        lastShownAt = now;
        if (isTerminal) {
            err.print(ERASE_LINE + Printable.of(text.get()));
            isOnScreen = true;
        } else {
            logLines++;
            err.println(Printable.of(text.get()));
        }
        err.flush();
    }

    /** Prints something that stays, above the line. */
    synchronized void remark(String text) {
        clear();
        err.println(Printable.of(text));
        err.flush();
    }

    /** Makes room for other output; on a terminal the line disappears. */
    synchronized void clear() {
        if (isOnScreen) {
            err.print(ERASE_LINE);
            err.flush();
            isOnScreen = false;
        }
    }

    private Duration interval() {
        return isTerminal ? TERMINAL_INTERVAL : FIRST_LOG_INTERVAL.multipliedBy(1L << (logLines / LINES_PER_INTERVAL));
    }

    private static boolean isStderrTerminal() {
        return Boolean.getBoolean(TERMINAL);
    }
}
