package dev.sweep.worker;

import dev.sweep.InvalidConfigurationException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects what is wrong with settings, so that all of it can be told at once. */
final class Faults {

    private final List<String> faults;

    Faults(List<String> known) {
        this.faults = new ArrayList<>(known);
    }

    void add(String fault) {
        faults.add(fault);
    }

    void addUnless(boolean isRight, String fault) {
        if (!isRight) {
            faults.add(fault);
        }
    }

    void range(String setting, long value, long min, long max) {
        addUnless(value >= min && value <= max, setting + " " + value + " is out of range; use " + min + " to " + max);
    }

    void range(String setting, Duration value, Duration min, Duration max) {
        addUnless(
                value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
                setting + " " + value + " is out of range; use " + min + " to " + max);
    }

    void throwIfAny() {
        if (!faults.isEmpty()) {
            throw new InvalidConfigurationException(faults);
        }
    }
}
