package dev.sweep.cli;

import java.util.SplittableRandom;

/**
 * Which attempts of the demo fail: a fixed share, scattered at random, but the same for the same seed in every process, so
 * that the demo knows how many failures there must be.
 *
 * @param share the share of attempts that fail, 0 to 1
 */
record Misfortune(long seed, double share) {

    /** Whether this attempt, counted from 1, fails. */
    boolean strikes(String type, int customer, int attempt) {
        long mixed = seed * 31 + type.hashCode();
        mixed = mixed * 1_000_003 + customer;
        mixed = mixed * 1_009 + attempt;
        return new SplittableRandom(mixed).nextDouble() < share;
    }

    /** How often a task fails before it succeeds. */
    int failures(String type, int customer) {
        int failures = 0;
        while (strikes(type, customer, failures + 1)) {
            failures++;
        }
        return failures;
    }
}
