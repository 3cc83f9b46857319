package dev.sweep.cli.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** What came of one workload for one entrant: the figures of each round. */
final class Line {

    private final Workload workload;
    private final Entrant entrant;
    private final List<Figures> rounds = new ArrayList<>();

    Line(Workload workload, Entrant entrant) {
        this.workload = workload;
        this.entrant = entrant;
    }

    Workload workload() {
        return workload;
    }

    Entrant entrant() {
        return entrant;
    }

    List<Figures> rounds() {
        return List.copyOf(rounds);
    }

    void add(Figures round) {
        rounds.add(round);
    }

    boolean isComparedTo(Line other) {
        return workload.name().equals(other.workload.name()) && entrant.isComparedTo(other.entrant);
    }

    /** The values of each figure over the rounds that have it. */
    Map<Figure, Statistics> statistics() {
        Map<Figure, Statistics> statistics = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            List<Double> values = rounds.stream()
                    .flatMap(round -> round.get(figure).stream().boxed())
                    .toList();
            if (!values.isEmpty()) {
                statistics.put(figure, Statistics.of(values));
            }
        }
        return statistics;
    }

    /** For each figure the median over the rounds of this line's value by the other's; where that says something. */
    Map<Figure, Double> ratiosTo(Line other) {
        Map<Figure, Double> ratios = new EnumMap<>(Figure.class);
        for (Figure figure : Figure.values()) {
            List<Double> ratio = new ArrayList<>();
            for (int i = 0; i < Math.min(rounds.size(), other.rounds.size()); i++) {
                OptionalDouble own = rounds.get(i).get(figure);
                OptionalDouble others = other.rounds.get(i).get(figure);
                if (own.isPresent() && others.isPresent() && others.getAsDouble() > 0) {
                    ratio.add(own.getAsDouble() / others.getAsDouble());
                }
            }
            if (!ratio.isEmpty()) {
                ratios.put(figure, Statistics.of(ratio).median());
            }
        }
        return ratios;
    }
}
