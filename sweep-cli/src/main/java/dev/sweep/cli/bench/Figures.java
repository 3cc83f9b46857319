package dev.sweep.cli.bench;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;

/** What one run measured; what could not be measured is not there. Immutable. */
final class Figures {

    static final Figures NONE = new Figures(Map.of());

    private final Map<Figure, Double> values;

    private Figures(Map<Figure, Double> values) {
        this.values = values.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(values));
    }

    Figures with(Figure figure, double value) {
        Map<Figure, Double> more = new EnumMap<>(Figure.class);
        more.putAll(values);
        more.put(figure, value);
        return new Figures(more);
    }

    Figures with(Figure figure, long count) {
        return with(figure, (double) count);
    }

    Figures with(Figures others) {
        Map<Figure, Double> more = new EnumMap<>(Figure.class);
        more.putAll(values);
        more.putAll(others.values);
        return new Figures(more);
    }

    OptionalDouble get(Figure figure) {
        Double value = values.get(figure);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    void forEach(BiConsumer<Figure, Double> action) {
        values.forEach(action);
    }
}
