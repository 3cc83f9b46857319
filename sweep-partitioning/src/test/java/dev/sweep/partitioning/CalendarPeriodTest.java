package dev.sweep.partitioning;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalendarPeriodTest {

    @ParameterizedTest
    @CsvSource({
        "2026-11-29T23:59:59.999999Z, 2026w48, 2026-11-23T00:00:00Z, 2026-11-30T00:00:00Z",
        "2026-11-30T00:00:00Z,        2026w49, 2026-11-30T00:00:00Z, 2026-12-07T00:00:00Z",
        "2026-12-28T00:00:00Z,        2026w53, 2026-12-28T00:00:00Z, 2027-01-04T00:00:00Z",
        "2027-01-01T12:00:00Z,        2026w53, 2026-12-28T00:00:00Z, 2027-01-04T00:00:00Z",
        "2027-01-04T00:00:00Z,        2027w01, 2027-01-04T00:00:00Z, 2027-01-11T00:00:00Z",
        "2024-12-30T00:00:00Z,        2025w01, 2024-12-30T00:00:00Z, 2025-01-06T00:00:00Z",
        "2028-02-29T12:00:00Z,        2028w09, 2028-02-28T00:00:00Z, 2028-03-06T00:00:00Z"
    })
    void aWeekIsThatOfIso8601InUtc(Instant instant, String name, Instant from, Instant to) {
        assertThat(CalendarPeriod.WEEK.rangeOf(instant)).isEqualTo(new PartitionRange(name, from, to));
    }

    @ParameterizedTest
    @CsvSource({
        "2028-02-29T23:59:59Z, 20280229, 2028-02-29T00:00:00Z, 2028-03-01T00:00:00Z",
        "2026-03-08T07:30:00Z, 20260308, 2026-03-08T00:00:00Z, 2026-03-09T00:00:00Z"
    })
    void aDayIsOneInUtc(Instant instant, String name, Instant from, Instant to) {
        assertThat(CalendarPeriod.DAY.rangeOf(instant)).isEqualTo(new PartitionRange(name, from, to));
    }

    @ParameterizedTest
    @CsvSource({
        "2028-02-29T23:59:59Z, 2028m02, 2028-02-01T00:00:00Z, 2028-03-01T00:00:00Z",
        "2026-12-31T23:59:59Z, 2026m12, 2026-12-01T00:00:00Z, 2027-01-01T00:00:00Z"
    })
    void aMonthIsOneInUtc(Instant instant, String name, Instant from, Instant to) {
        assertThat(CalendarPeriod.MONTH.rangeOf(instant)).isEqualTo(new PartitionRange(name, from, to));
    }
}
