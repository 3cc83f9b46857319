package dev.sweep.testing;

import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Names for schemas that nobody else has, also if several JVMs share the server. */
final class SchemaNames {

    private static final int MAX_HINT_LENGTH = 30;
    private static final AtomicInteger TAKEN = new AtomicInteger();
    private static final String THIS_JVM = UUID.randomUUID().toString().substring(0, 8);

    private SchemaNames() {}

    /** @param hint what it is for; shortened, and reduced to lower-case letters, digits and _ */
    static String next(String hint) {
        String readable = hint.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
        String head = readable.substring(0, Math.min(readable.length(), MAX_HINT_LENGTH));
        return "sweep_" + head + "_" + THIS_JVM + "_" + TAKEN.incrementAndGet();
    }
}
