package dev.sweep.cli.bench;

import java.sql.SQLException;
import java.time.Duration;

/** The best one-table loop that we could write by hand: everything in batches, every plan pinned. */
final class BestLoop extends HandWrittenLoop {

    private static final int THREADS = 3;

    BestLoop() {
        super(THREADS, Duration.ofMillis(10));
    }

    @Override
    public String name() {
        return "best-loop";
    }

    @Override
    public String setup() {
        return "one table, " + THREADS + " threads, claims and completions of " + DEFAULT_BATCH
                + " by arrays, unnest inserts, pinned plans, looks every 10 ms when idle; no leases, no retries";
    }

    @Override
    LoopSession session(Place place, int batch) throws SQLException {
        return new BestSession(place, batch);
    }
}
