package dev.sweep.maintenance;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one check of the {@link Doctor} found. Names no payload, no statement of others and no dedup key, so that it may be
 * shown and logged anywhere.
 *
 * @param check the name of the check, also the heading of its runbook
 * @param what what is so, in one sentence
 * @param remedy what to do about it; empty if there is nothing to do
 * @param numbers the measures behind it, by name; the unit is part of the name
 */
public record Finding(String check, Level level, String what, String remedy, Map<String, Number> numbers) {

    /** How bad it is, worse ones last. */
    public enum Level {
        OK,
        /** Works now, and should be mended before it does not. */
        WARNING,
        /** Tasks are held up or lost now, or will be soon. */
        FAULT
    }

    public Finding {
        numbers = Collections.unmodifiableMap(new TreeMap<>(numbers));
    }
}
