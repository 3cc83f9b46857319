package dev.sweep.cli.bench;

import java.time.Duration;
import java.util.Random;

/** Payloads of a stated size that carry the time of their enqueue. */
final class Payloads {

    /** The least that holds a time. */
    static final int MIN_BYTES = 40;

    private static final String BEFORE_TIME = "{\"at\":";
    private static final String AFTER_TIME = ",\"pad\":\"";
    private static final String END = "\"}";
    private static final int TIME_DIGITS = 16;
    private static final int RADIX = 36;

    private final String padding;

    /** Not too regular: what compresses well is stored unlike what applications store. */
    Payloads(int bytes) {
        int length = bytes - BEFORE_TIME.length() - TIME_DIGITS - AFTER_TIME.length() - END.length();
        Random random = new Random(bytes);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(Character.forDigit(random.nextInt(RADIX), RADIX));
        }
        padding = text.toString();
    }

    /** A payload of now. */
    String next() {
        return BEFORE_TIME + Micros.now() + AFTER_TIME + padding + END;
    }

    /** How long ago a payload was made; PostgreSQL may have put its fields in another order, and spaces between them. */
    static Duration age(String payload) {
        long now = Micros.now();
        int at = payload.indexOf("\"at\":") + "\"at\":".length();
        while (payload.charAt(at) == ' ') {
            at++;
        }
        return Duration.ofNanos((now - Long.parseLong(payload, at, at + TIME_DIGITS, 10)) * 1000);
    }
}
