package dev.sweep.cli;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads instants that name their offset, so that no time zone has to be guessed. */
final class InstantConverter implements ITypeConverter<Instant> {

    @Override
    public Instant convert(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException notInstant) {
            throw new TypeConversionException("'" + text
                    + "' is not an instant; write date, time and offset, such as 2030-01-31T08:00:00Z or"
                    + " 2030-01-31T09:00:00+01:00");
        }
    }
}
