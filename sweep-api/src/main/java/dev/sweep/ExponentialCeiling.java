package dev.sweep;

/** Doubles a delay at each failure without ever overflowing. */
final class ExponentialCeiling {

    private ExponentialCeiling() {}

    /** {@code min(cap, base * 2^(failures - 1))}, for any number of failures. */
    static long millis(long base, long cap, int failures) {
        int doublings = Math.max(0, failures - 1);
        if (base == 0) {
            return 0;
        }
        boolean overflows = doublings >= Long.numberOfLeadingZeros(base);
        return overflows ? cap : Math.min(cap, base << doublings);
    }
}
