package dev.sweep.testing;

import java.util.List;
import java.util.function.Supplier;

/**
 * API: what one drain ran. A failed attempt was recorded as a worker records it, retry and all, and reached nobody: ask for
 * it with {@link #hasNoFailures()}, {@link #hasFailures(int)} or {@link #failures()}. In a test with a
 * {@link SweepExtension}, a failure that nobody asked for fails the test at its end. Not thread-safe.
 */
public final class Drained {

    private final int attempts;
    private final int succeeded;
    private final List<HandlerFailure> failures;
    private final Supplier<String> waiting;
    private boolean askedForFailures;

    /** @param waiting says what waits in the store, for messages */
    Drained(int attempts, int succeeded, List<HandlerFailure> failures, Supplier<String> waiting) {
        this.attempts = attempts;
        this.succeeded = succeeded;
        this.failures = List.copyOf(failures);
        this.waiting = waiting;
    }

    /** How many attempts ran. */
    public int attempts() {
        return attempts;
    }

    /** How many of them succeeded; the others failed, or want to run later. */
    public int succeeded() {
        return succeeded;
    }

    /** The attempts that failed, in the order in which they ran. */
    public List<HandlerFailure> failures() {
        askedForFailures = true;
        return failures;
    }

    /**
     * Fails unless exactly so many attempts ran.
     *
     * @throws AssertionError that says what waits
     */
    public Drained hasRun(int expected) {
        if (attempts != expected) {
            throw new AssertionError(
                    "expected " + expected + " attempts, but " + attempts + " ran; " + waiting.get() + failuresIfAny());
        }
        return this;
    }

    /**
     * Fails if an attempt failed.
     *
     * @throws AssertionError with what the handlers threw
     */
    public Drained hasNoFailures() {
        return hasFailures(0);
    }

    /**
     * Fails unless exactly so many attempts failed.
     *
     * @throws AssertionError with what the handlers threw
     */
    public Drained hasFailures(int expected) {
        askedForFailures = true;
        if (failures.size() == expected) {
            return this;
        }
        String message =
                "expected " + expected + " failures, but " + failures.size() + " of " + attempts + " attempts failed";
        throw failures.isEmpty() ? new AssertionError(message) : HandlerFailure.error(message, failures);
    }

    /** The failures, if nobody asked for them. */
    List<HandlerFailure> unseenFailures() {
        return askedForFailures ? List.of() : failures;
    }

    private String failuresIfAny() {
        return failures.isEmpty() ? "" : "; failed: " + failures;
    }

    @Override
    public String toString() {
        return "Drained[attempts=" + attempts + ", succeeded=" + succeeded + ", failures=" + failures + "]";
    }
}
