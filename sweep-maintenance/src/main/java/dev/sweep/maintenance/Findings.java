package dev.sweep.maintenance;

import dev.sweep.StoreUnavailableException;
import dev.sweep.maintenance.Finding.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Collects what one check finds. */
final class Findings {

    private static final String NOT_ALLOWED = "42501";
    private static final String TIMED_OUT = "57014";

    private final String check;
    private final List<Finding> findings = new ArrayList<>();

    Findings(String check) {
        this.check = check;
    }

    void warning(String what, String remedy, Map<String, Number> numbers) {
        findings.add(new Finding(check, Level.WARNING, what, remedy, numbers));
    }

    void fault(String what, String remedy, Map<String, Number> numbers) {
        findings.add(new Finding(check, Level.FAULT, what, remedy, numbers));
    }

    /** Said only if nothing else was. */
    void otherwise(String what, Map<String, Number> numbers) {
        if (findings.isEmpty()) {
            findings.add(new Finding(check, Level.OK, what, "", numbers));
        }
    }

    /**
     * The check itself could not be made; what it had found stays.
     *
     * @throws StoreUnavailableException the same, if no other check could be made either
     */
    void couldNotLook(RuntimeException problem) {
        if (problem instanceof StoreUnavailableException unavailable && !hasTimedOut(problem)) {
            throw unavailable;
        }
        if (sqlState(problem).equals(NOT_ALLOWED)) {
            notVisible("what this check reads is");
        } else if (hasTimedOut(problem)) {
            warning(
                    "could not look: a statement took longer than the doctor waits",
                    "see whether the server is overloaded or a table is bloated, and run the doctor again",
                    Map.of());
        } else {
            warning("could not look: " + problem.getMessage(), "mend this and run the doctor again", Map.of());
        }
    }

    void notVisible(String what) {
        warning(
                what + " not visible to this role",
                "grant pg_monitor, and the rights of the monitoring role in docs/operating.md",
                Map.of());
    }

    List<Finding> all() {
        otherwise("all is well", Map.of());
        return findings;
    }

    static boolean hasTimedOut(RuntimeException problem) {
        return sqlState(problem).equals(TIMED_OUT);
    }

    private static String sqlState(Throwable problem) {
        for (Throwable at = problem; at != null; at = at.getCause()) {
            if (at instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState();
            }
        }
        return "";
    }
}
