package dev.sweep.jmh;

import java.util.Locale;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What a number has to reach, or must not exceed; one of both.
 *
 * @param metric the number
 * @param against what it is divided by, of the same run; null: it stands for itself
 * @param atLeast the goal of a number that should be high; null: it should be low
 * @param atMost the goal of a number that should be low; null: it should be high
 * @param margin the part of the goal that a busy machine may miss, 0 to less than 1
 * @param why where the goal comes from
 */
record Floor(
        Metric metric,
        @Nullable Metric against,
        @Nullable Double atLeast,
        @Nullable Double atMost,
        double margin,
        String why) {

    Floor {
        if ((atLeast == null) == (atMost == null)) {
            throw new IllegalArgumentException("the floor of " + metric + " has atLeast " + atLeast + " and atMost "
                    + atMost + "; give one of both");
        }
        double goal = atLeast == null ? atMost : atLeast;
        if (goal <= 0) {
            throw new IllegalArgumentException("the floor of " + metric + " is " + goal + "; use more than 0");
        }
        if (margin < 0 || margin >= 1) {
            throw new IllegalArgumentException("the margin of " + metric + " is " + margin + "; use 0 to less than 1");
        }
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
        if (atMost != null) {
            double most = atMost * (1 + margin);
            return new Verdict(value <= most, said(value, "ceiling", most, atMost, "and"));
        }
        double goal = atLeast == null ? 0 : atLeast;
        double least = goal * (1 - margin);
        return new Verdict(value >= least, said(value, "floor", least, goal, "less"));
    }

    private String said(double value, String kind, double bound, double goal, String sign) {
        return String.format(
                Locale.ROOT,
                "%s is %,.2f, its %s %,.2f (%,.2f %s %.0f %%): %s",
                this,
                value,
                kind,
                bound,
                goal,
                sign,
                margin * 100,
                why);
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
