package dev.sweep.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineTest {

    private static final Workload DRAIN = Workload.named("drain");

    @Test
    void ratioIsTheMedianOverTheRoundsNotTheRatioOfTheMedians() {
        Line sweep = line("sweep", false, 10, 40, 90);
        Line reference = line("best-loop", false, 10, 20, 100);

        // Round by round 1, 2 and 0.9.
        assertThat(sweep.ratiosTo(reference)).containsEntry(Figure.TASKS_PER_SECOND, 1.0);
    }

    @Test
    void whatOneSideDidNotMeasureHasNoRatio() {
        Line sweep = line("sweep", false, 10);
        Line reference = new Line(DRAIN, entrant("best-loop", false));
        reference.add(Figures.NONE.with(Figure.WAL_BYTES, 5.0).with(Figure.TASKS_PER_SECOND, 0.0));

        assertThat(sweep.ratiosTo(reference)).isEmpty();
    }

    @Test
    void contendersAreComparedToReferencesUnderTheSameLoadAndToTheirOwnBase() {
        Line loaded = line("sweep", false, 1);

        assertThat(loaded.isComparedTo(line("classic", false, 1))).isTrue();
        assertThat(loaded.isComparedTo(line("sweep", true, 1))).isTrue();
        assertThat(loaded.isComparedTo(line("classic", true, 1))).isFalse();
        assertThat(loaded.isComparedTo(loaded)).isFalse();
        assertThat(line("sweep", true, 1).isComparedTo(loaded)).isFalse();
        assertThat(line("classic", false, 1).isComparedTo(loaded)).isFalse();
        assertThat(loaded.isComparedTo(new Line(Workload.named("life"), entrant("classic", false))))
                .isFalse();
    }

    private static Line line(String contender, boolean isBase, double... perSecond) {
        Line line = new Line(DRAIN, entrant(contender, isBase));
        for (double rate : perSecond) {
            line.add(Figures.NONE.with(Figure.TASKS_PER_SECOND, rate));
        }
        return line;
    }

    private static Entrant entrant(String contender, boolean isBase) {
        return new Entrant(Contenders.named(contender), Load.NONE, 1, isBase);
    }
}
