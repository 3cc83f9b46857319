package dev.sweep;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The bounds of everything a caller can say about a task, each refused with the value, the bound and the remedy. */
final class Bounds {

    static final int MIN_PRIORITY = 1;
    static final int MAX_PRIORITY = 10;
    static final int MAX_NAME_BYTES = 200;
    static final int MAX_DEDUP_KEY_BYTES = 1024;
    static final int MAX_HEADERS = 50;
    static final int MAX_HEADER_BYTES = 4096;
    static final int MAX_RETRIES = 1_000_000;
    static final int MAX_LOSSES = 1_000;
    static final Duration MAX_DELAY = Duration.ofDays(3650);
    static final Instant MIN_INSTANT = Instant.parse("2000-01-01T00:00:00Z");
    static final Instant MAX_INSTANT = Instant.parse("2200-01-01T00:00:00Z");

    private Bounds() {}

    /** A name or key: not blank, not longer than {@code maxBytes} of UTF-8, storable in PostgreSQL. */
    static String text(String field, @Nullable String value, int maxBytes) {
        if (value == null) {
            throw new InvalidTaskException(field + " is null; it needs 1 to " + maxBytes + " bytes of text");
        }
        if (value.isBlank()) {
            throw new InvalidTaskException(field + " is blank; it needs 1 to " + maxBytes + " bytes of text");
        }
        return storable(field, value, maxBytes);
    }

    /** Text that may be empty, but not longer than {@code maxBytes} of UTF-8, and storable in PostgreSQL. */
    static String storable(String field, @Nullable String value, int maxBytes) {
        if (value == null) {
            throw new InvalidTaskException(field + " is null; it needs at most " + maxBytes + " bytes of text");
        }
        int flaw = firstUnstorable(value);
        if (flaw >= 0) {
            throw new InvalidTaskException(field + " has " + nameOfUnstorable(value.charAt(flaw)) + " at index " + flaw
                    + ", which PostgreSQL can't store; remove it");
        }
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > maxBytes) {
            throw new InvalidTaskException(field + " '" + Excerpt.head(value, 40) + "' has " + bytes
                    + " bytes of UTF-8; at most " + maxBytes + " are allowed; shorten it");
        }
        return value;
    }

    /** Refuses null where the compiler of the caller did not. */
    static <T> T given(String field, @Nullable T value) {
        if (value == null) {
            throw new InvalidTaskException(field + " is null; pass a value, or leave the call out for the default");
        }
        return value;
    }

    static int priority(int priority) {
        return (int) number("priority", priority, MIN_PRIORITY, MAX_PRIORITY, "10 is the most urgent");
    }

    static int maxRetries(int maxRetries) {
        return (int) number("max retries", maxRetries, 0, MAX_RETRIES, "0 means one attempt and no retry");
    }

    static int maxLosses(int maxLosses) {
        return (int) number("max losses", maxLosses, 0, MAX_LOSSES, "0 is for work that must not start twice");
    }

    static Duration duration(String field, @Nullable Duration value, Duration min, Duration max) {
        Duration duration = given(field, value);
        if (duration.compareTo(min) < 0 || duration.compareTo(max) > 0) {
            throw new InvalidTaskException(field + " " + duration + " is out of range; use " + min + " to " + max);
        }
        return duration;
    }

    static Instant dueAt(@Nullable Instant value) {
        return instant("due time", value, ", or leave it out for now");
    }

    static Instant instant(String field, @Nullable Instant value) {
        return instant(field, value, "");
    }

    private static Instant instant(String field, @Nullable Instant value, String orElse) {
        Instant instant = given(field, value);
        if (instant.isBefore(MIN_INSTANT) || instant.isAfter(MAX_INSTANT)) {
            throw new InvalidTaskException(
                    field + " " + instant + " is out of range; use " + MIN_INSTANT + " to " + MAX_INSTANT + orElse);
        }
        return instant;
    }

    /** The index of the first character that PostgreSQL's text can't hold (NUL, lone surrogate), or -1. */
    static int firstUnstorable(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || Character.isLowSurrogate(c)) {
                return i;
            }
            if (Character.isHighSurrogate(c)) {
                if (i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }

    /** What to call a character that {@link #firstUnstorable} found. */
    static String nameOfUnstorable(char c) {
        return c == 0 ? "a NUL character" : "half of a surrogate pair";
    }

    private static long number(String field, long value, long min, long max, String meaning) {
        if (value < min || value > max) {
            throw new InvalidTaskException(
                    field + " " + value + " is out of range; use " + min + " to " + max + " (" + meaning + ")");
        }
        return value;
    }
}
