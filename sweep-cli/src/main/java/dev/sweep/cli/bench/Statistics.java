package dev.sweep.cli.bench;

import java.util.List;

/**
 * Some values of one kind, sorted.
 *
 * @param sorted at least one
 */
record Statistics(List<Double> sorted) {

    private static final double HALF = 0.5;

    Statistics {
        if (sorted.isEmpty()) {
            throw new IllegalArgumentException("there are no values to judge");
        }
        sorted = sorted.stream().sorted().toList();
    }

    static Statistics of(List<Double> values) {
        return new Statistics(values);
    }

    /** The middle one, or the mean of the two in the middle. */
    double median() {
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) * HALF;
    }

    double min() {
        return sorted.get(0);
    }

    double max() {
        return sorted.get(sorted.size() - 1);
    }

    /**
     * The least value that so large a share of all does not exceed.
     *
     * @param share above 0, to 1
     */
    double percentile(double share) {
        if (share <= 0 || share > 1) {
            throw new IllegalArgumentException("percentile " + share + " is out of range; use above 0 to 1");
        }
        return sorted.get((int) Math.ceil(share * sorted.size()) - 1);
    }
}
