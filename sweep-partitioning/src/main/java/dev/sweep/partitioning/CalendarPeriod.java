package dev.sweep.partitioning;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;

/** The periods of the calendar, in UTC. */
public enum CalendarPeriod implements PartitionPeriod {
    /** {@code 20261129}. */
    DAY {
        @Override
        LocalDate startOf(LocalDate day) {
            return day;
        }

        @Override
        LocalDate endOf(LocalDate start) {
            return start.plusDays(1);
        }

        @Override
        String nameOf(LocalDate start) {
            return start.format(DateTimeFormatter.BASIC_ISO_DATE);
        }
    },
    /** Weeks of ISO 8601, from Monday: {@code 2026w48}; the year is the week's, so that 2027-01-01 lies in {@code 2026w53}. */
    WEEK {
        @Override
        LocalDate startOf(LocalDate day) {
            return day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
        }

        @Override
        LocalDate endOf(LocalDate start) {
            return start.plusWeeks(1);
        }

        @Override
        String nameOf(LocalDate start) {
            return String.format(
                    Locale.ROOT,
                    "%04dw%02d",
                    start.get(IsoFields.WEEK_BASED_YEAR),
                    start.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
        }
    },
    /** {@code 2026m11}. */
    MONTH {
        @Override
        LocalDate startOf(LocalDate day) {
            return day.withDayOfMonth(1);
        }

        @Override
        LocalDate endOf(LocalDate start) {
            return start.plusMonths(1);
        }

        @Override
        String nameOf(LocalDate start) {
            return String.format(Locale.ROOT, "%04dm%02d", start.getYear(), start.getMonthValue());
        }
    };

    abstract LocalDate startOf(LocalDate day);

    abstract LocalDate endOf(LocalDate start);

    abstract String nameOf(LocalDate start);

    @Override
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public PartitionRange rangeOf(Instant instant) {
        LocalDate start = startOf(instant.atOffset(ZoneOffset.UTC).toLocalDate());
        return new PartitionRange(nameOf(start), midnight(start), midnight(endOf(start)));
    }

    private static Instant midnight(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }
}
