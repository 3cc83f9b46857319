package dev.sweep.testing;

import dev.sweep.spi.TaskStore;
import java.time.Duration;
import java.time.Instant;
import net.jqwik.api.PropertyDefaults;

@PropertyDefaults(tries = 500)
class InMemoryTaskStoreProperties extends TaskStoreProperties {

    private final SettableTime time = SettableTime.at(Instant.parse("2026-03-01T10:00:00.123456789Z"));
    private InMemoryTaskStore store;

    @Override
    protected TaskStore newStore() {
        store = InMemoryTaskStore.create(time);
        return store;
    }

    @Override
    protected void passTime(Duration duration) {
        time.advance(duration);
    }

    @Override
    protected void checkInvariants() {
        store.checkInvariants();
    }
}
