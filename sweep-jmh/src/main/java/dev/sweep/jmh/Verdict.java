package dev.sweep.jmh;

/** Whether a floor is reached, in words for people. */
record Verdict(boolean isReached, String text) {

    @Override
    public String toString() {
        return (isReached ? "reached: " : "MISSED:  ") + text;
    }
}
