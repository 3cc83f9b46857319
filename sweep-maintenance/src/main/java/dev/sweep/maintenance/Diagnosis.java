package dev.sweep.maintenance;

import dev.sweep.maintenance.Finding.Level;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * All that the {@link Doctor} found, at least one finding a check.
 *
 * @param at when, by the clock of this process
 * @param findings in the order of the checks
 */
public record Diagnosis(Instant at, List<Finding> findings) {

    public Diagnosis {
        findings = List.copyOf(findings);
    }

    /** The worst level among the findings. */
    public Level level() {
        return findings.stream()
                .map(Finding::level)
                .max(Comparator.naturalOrder())
                .orElse(Level.OK);
    }
}
