package dev.sweep.testing;

import dev.sweep.spi.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import javax.sql.DataSource;

/** A new {@link InMemoryTaskStore} for each test, with a clock that stands still. */
final class InMemoryStores implements TestStores {

    private final InstantSource start;
    private SettableTime time;

    /** @param start when the clock of each test begins */
    InMemoryStores(InstantSource start) {
        this.start = start;
        this.time = newTime();
    }

    @Override
    public void begin(String testClass) {}

    @Override
    public TaskStore newStore() {
        time = newTime();
        return InMemoryTaskStore.create(time);
    }

    @Override
    public void end() {}

    @Override
    public void advance(Duration duration) {
        time.advance(duration);
    }

    @Override
    public SettableTime time() {
        return time;
    }

    @Override
    public DataSource dataSource() {
        throw noDatabase("data source");
    }

    @Override
    public String schema() {
        throw noDatabase("schema");
    }

    private SettableTime newTime() {
        Instant instant = start.instant().truncatedTo(ChronoUnit.MICROS);
        return SettableTime.at(instant);
    }

    private static UnsupportedOperationException noDatabase(String missing) {
        return new UnsupportedOperationException("the in-memory store has no " + missing
                + " and no transactions; use SweepExtension.onPostgres for tests that need them");
    }
}
