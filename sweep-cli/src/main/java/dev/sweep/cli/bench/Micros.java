package dev.sweep.cli.bench;

import java.time.Instant;

/** The clock that all processes of a machine share. */
final class Micros {

    static final long PER_SECOND = 1_000_000;

    private Micros() {}

    /** Microseconds since 1970. */
    static long now() {
        Instant now = Instant.now();
        return now.getEpochSecond() * PER_SECOND + now.getNano() / 1000;
    }
}
