package dev.sweep.maintenance;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Keeps processes from coming in step. */
final class Jitter {

    private Jitter() {}

    /** The duration itself, up to a tenth shorter or longer. */
    static Duration around(Duration duration) {
        double factor = 0.9 + 0.2 * ThreadLocalRandom.current().nextDouble();
        return Duration.ofNanos((long) (duration.toNanos() * factor));
    }
}
