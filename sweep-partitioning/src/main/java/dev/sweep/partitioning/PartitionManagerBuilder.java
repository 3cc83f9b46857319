package dev.sweep.partitioning;

import dev.sweep.InvalidConfigurationException;
import dev.sweep.jooq.StoreDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects the settings of a {@link PartitionManager}. Not thread-safe. */
public final class PartitionManagerBuilder {

    /** The most periods that are kept ahead. */
    public static final int MAX_AHEAD = 120;

    private static final Duration MAX_PATIENCE = Duration.ofHours(24);

    private final StoreDatabase database;
    private final List<PartitionPeriod> periods = new ArrayList<>(List.of(CalendarPeriod.values()));
    private DatabaseClock clock = DatabaseClock.SERVER;
    private int ahead = 4;
    private Duration patience = Duration.ofMinutes(1);

    PartitionManagerBuilder(StoreDatabase database) {
        this.database = database;
    }

    /** How many periods after the present one have their partitions, 1 to 120; the default is 4. */
    public PartitionManagerBuilder ahead(int periods) {
        if (periods < 1 || periods > MAX_AHEAD) {
            throw new InvalidConfigurationException(List.of("ahead is " + periods + " periods; use 1 to " + MAX_AHEAD));
        }
        this.ahead = periods;
        return this;
    }

    /** A period beside those of {@link CalendarPeriod}, for {@link PartitionManager#enable} and for what was enabled by it. */
    public PartitionManagerBuilder period(PartitionPeriod period) {
        periods.removeIf(known -> known.word().equals(period.word()));
        periods.add(period);
        return this;
    }

    /**
     * How long a strong lock is tried for while open transactions hold the tables, up to 24 hours; the default is a minute.
     * Each try waits for 100 ms at most, and whoever queues behind it as long.
     */
    public PartitionManagerBuilder patience(Duration patience) {
        if (patience.isNegative() || patience.compareTo(MAX_PATIENCE) > 0) {
            throw new InvalidConfigurationException(
                    List.of("patience is " + patience + "; use zero to " + MAX_PATIENCE));
        }
        this.patience = patience;
        return this;
    }

    /** For tests of what a year brings. */
    PartitionManagerBuilder clock(DatabaseClock clock) {
        this.clock = clock;
        return this;
    }

    DatabaseClock clock() {
        return clock;
    }

    int ahead() {
        return ahead;
    }

    Duration patience() {
        return patience;
    }

    List<PartitionPeriod> periods() {
        return periods;
    }

    public PartitionManager build() {
        return new PartitionManager(database, this);
    }
}
