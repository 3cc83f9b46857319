package dev.sweep.jmh;

import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What a number has to reach.
 *
 * @param metric the number
 * @param against what it is divided by, of the same run; null: it stands for itself
 * @param atLeast the goal
 * @param margin the part of the goal that a busy machine may miss, 0 to less than 1
 * @param why where the goal comes from
 */
record Floor(Metric metric, @Nullable Metric against, double atLeast, double margin, String why) {

    Floor {
        if (atLeast <= 0) {
            throw new IllegalArgumentException("the floor of " + metric + " is " + atLeast + "; use more than 0");
        }
        if (margin < 0 || margin >= 1) {
            throw new IllegalArgumentException("the margin of " + metric + " is " + margin + "; use 0 to less than 1");
        }
    }

    double least() {
        return atLeast * (1 - margin);
    }

    Verdict judge(Results results) {
        OptionalDouble number = results.of(metric);
        if (number.isEmpty()) {
            return missing(metric);
        }
        if (against == null) {
            return judge(number.getAsDouble());
        }
        OptionalDouble divisor = results.of(against);
        return divisor.isEmpty() ? missing(against) : judge(number.getAsDouble() / divisor.getAsDouble());
    }

    private Verdict judge(double value) {
        String said = String.format(
                Locale.ROOT,
                "%s is %,.2f, its floor %,.2f (%,.2f less %.0f %%): %s",
                this,
                value,
                least(),
                atLeast,
                margin * 100,
                why);
        return new Verdict(value >= least(), said);
    }

    private static Verdict missing(Metric absent) {
        return new Verdict(
                false, absent + " is not among the results; run it too, or take its floor out of floors.json");
    }

    @Override
    public String toString() {
        return against == null ? metric.toString() : metric + " / " + against;
    }
}
