package dev.sweep.maintenance;

import dev.sweep.SweepException;

/** What a person gets to read of an exception: one line, short, without control characters. */
final class ErrorText {

    private static final int MAX_CHARS = 500;

    private ErrorText() {}

    static String of(Throwable thrown) {
        String message = thrown.getMessage();
        String text = thrown instanceof SweepException && message != null ? message : thrown.toString();
        String line = text.replaceAll("\\p{Cntrl}+", " ");
        return line.length() <= MAX_CHARS ? line : line.substring(0, MAX_CHARS - 1) + "…";
    }
}
