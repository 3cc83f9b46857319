package dev.sweep.worker;

import org.jspecify.annotations.Nullable;

/**
 * What is kept of something thrown. Reading it runs code of others, so nothing it throws gets out of here.
 *
 * @param errorClass the class name
 * @param message the message with those of its causes, at most {@value #MAX_CHARS} characters
 */
record ErrorText(String errorClass, String message) {

    static final int MAX_CHARS = 8_000;
    private static final int MAX_CAUSES = 5;
    private static final int MAX_LINE_CHARS = 300;

    ErrorText {
        message = cut(message, MAX_CHARS);
    }

    static ErrorText of(Throwable thrown) {
        if (thrown instanceof ReportedFailure reported) {
            return new ErrorText(reported.outcomeClass(), reported.reason());
        }
        return new ErrorText(thrown.getClass().getName(), withCauses(thrown));
    }

    /** Class and message for a log line. */
    static String oneLine(Throwable thrown) {
        ErrorText text = of(thrown);
        return cut((text.errorClass + ": " + text.message).replaceAll("\\R", " "), MAX_LINE_CHARS);
    }

    /** The same throwable if a log can print it with its stack, else null. */
    static @Nullable Throwable printable(Throwable thrown) {
        try {
            return thrown.toString().isEmpty() ? null : thrown;
        } catch (Throwable unprintable) {
            return null;
        }
    }

    private static String withCauses(Throwable thrown) {
        StringBuilder text = new StringBuilder(messageOf(thrown));
        Throwable cause = causeOf(thrown);
        for (int i = 0; i < MAX_CAUSES && cause != null && text.length() < MAX_CHARS; i++) {
            text.append("; caused by ")
                    .append(cause.getClass().getName())
                    .append(": ")
                    .append(messageOf(cause));
            cause = causeOf(cause);
        }
        return text.toString();
    }

    private static String messageOf(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            return message == null ? "no message" : message;
        } catch (Throwable unreadable) {
            return "its message can't be read: getMessage() threw "
                    + unreadable.getClass().getName();
        }
    }

    private static @Nullable Throwable causeOf(Throwable thrown) {
        try {
            return thrown.getCause();
        } catch (Throwable unreadable) {
            return null;
        }
    }

    private static String cut(String text, int maxChars) {
        if (text.length() <= maxChars) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(maxChars - 1)) ? maxChars - 1 : maxChars;
        return text.substring(0, end);
    }
}
