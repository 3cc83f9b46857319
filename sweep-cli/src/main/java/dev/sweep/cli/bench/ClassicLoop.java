package dev.sweep.cli.bench;

import java.sql.SQLException;
import java.time.Duration;

/** The loop that is found in most applications that have written their own queue. */
final class ClassicLoop extends HandWrittenLoop {

    private static final int THREADS = 4;

    ClassicLoop() {
        super(THREADS, Duration.ofMillis(100));
    }

    @Override
    public String name() {
        return "classic";
    }

    @Override
    public String setup() {
        return "one table, " + THREADS + " threads, claims of " + ClassicSession.CLAIM
                + " by id in (select ... skip locked), one update and one commit per task, batched single-row inserts,"
                + " looks every 100 ms when idle";
    }

    @Override
    LoopSession session(Place place, int batch) throws SQLException {
        return new ClassicSession(place);
    }
}
