package dev.sweep.worker;

import dev.sweep.Outcome;

/** A failure that a handler reported by its outcome, in the shape of those that are thrown; it has no stack. */
final class ReportedFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Class<? extends Outcome> outcome;
    private final String reason;

    ReportedFailure(Class<? extends Outcome> outcome, String reason) {
        super(reason, null, false, false);
        this.outcome = outcome;
        this.reason = reason;
    }

    String outcomeClass() {
        return outcome.getName();
    }

    String reason() {
        return reason;
    }
}
