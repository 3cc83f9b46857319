package dev.sweep.worker;

import java.util.ArrayList;
import java.util.List;
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

    /** Class and message for a log line; of what a handler reported by its outcome, the reason alone. */
    static String oneLine(Throwable thrown) {
        ErrorText text = of(thrown);
        String head = thrown instanceof ReportedFailure ? "" : text.errorClass + ": ";
        return cut((head + text.message).replaceAll("\\R", " "), MAX_LINE_CHARS);
    }

    /**
     * What a log can print with its stack: the throwable, or a {@link LoggedError} in its place where it quotes rows; null
     * if it can't be printed, or has no stack to print.
     */
    static @Nullable Throwable printable(Throwable thrown) {
        if (thrown instanceof ReportedFailure) {
            return null;
        }
        try {
            List<Throwable> chain = chainOf(thrown);
            SqlDetails details = SqlDetails.of(chain);
            return details.isEmpty() ? printableAsItIs(thrown) : withoutDetails(chain, details);
        } catch (Throwable unprintable) {
            return null;
        }
    }

    private static @Nullable Throwable printableAsItIs(Throwable thrown) {
        return thrown.toString().isEmpty() ? null : thrown;
    }

    private static @Nullable Throwable withoutDetails(List<Throwable> chain, SqlDetails details) {
        @Nullable LoggedError logged = null;
        for (int i = chain.size() - 1; i >= 0; i--) {
            Throwable thrown = chain.get(i);
            String text = thrown.getClass().getName() + ": " + details.removedFrom(messageOf(thrown));
            logged = new LoggedError(text, thrown.getStackTrace(), logged);
        }
        return logged;
    }

    private static String withCauses(Throwable thrown) {
        List<Throwable> chain = chainOf(thrown);
        SqlDetails details = SqlDetails.of(chain);
        StringBuilder text = new StringBuilder(details.removedFrom(messageOf(thrown)));
        for (Throwable cause : chain.subList(1, chain.size())) {
            text.append("; caused by ")
                    .append(cause.getClass().getName())
                    .append(": ")
                    .append(details.removedFrom(messageOf(cause)));
        }
        return text.toString();
    }

    /** The throwable and its causes, as many as are told. */
    private static List<Throwable> chainOf(Throwable thrown) {
        List<Throwable> chain = new ArrayList<>();
        @Nullable Throwable next = thrown;
        while (next != null && chain.size() <= MAX_CAUSES) {
            chain.add(next);
            next = causeOf(next);
        }
        return chain;
    }

    /** Never throws. */
    static String messageOf(Throwable thrown) {
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
