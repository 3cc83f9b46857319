package dev.sweep.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations as people write them (500ms, 10s, 5m, 2h, 1d) and as ISO-8601 does (PT10S). */
final class DurationConverter implements ITypeConverter<Duration> {

    private static final Pattern SHORT_FORM = Pattern.compile("(\\d{1,18})(ms|s|m|h|d)");

    @Override
    public Duration convert(String text) {
        try {
            Matcher shortForm = SHORT_FORM.matcher(text);
            return shortForm.matches()
                    ? of(Long.parseLong(shortForm.group(1)), shortForm.group(2))
                    : Duration.parse(text);
        } catch (DateTimeException | ArithmeticException notDuration) {
            throw new TypeConversionException(
                    "'" + text + "' is not a duration; write 500ms, 10s, 5m, 2h, 1d or ISO-8601 such as PT1H30M");
        }
    }

    /** The short form of whole days, else as ISO-8601 has it; can be read back. */
    static String text(Duration duration) {
        return duration.equals(Duration.ofDays(duration.toDays())) ? duration.toDays() + "d" : duration.toString();
    }

    private static Duration of(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
