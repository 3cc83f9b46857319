package dev.sweep.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.cli.bench.Figure;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

class FloorsTest {

    private static final Metric CLAIM = new Metric("ClaimBenchmark.claim", Map.of("batch", "50"), "tasks");
    private static final Metric DEEP =
            new Metric("ClaimBenchmark.claim", Map.of("batch", "50", "backlog", "9"), "tasks");

    @Test
    void resultAtTheFloorReachesIt() {
        assertThat(judged(claimAtLeast(1_000, 0), Map.of(CLAIM, 1_000.0))).allMatch(Verdict::isReached);
    }

    @Test
    void resultUnderTheFloorIsNamedWithItsValueAndTheFloor() {
        assertThat(judged(claimAtLeast(1_000, 0.25), Map.of(CLAIM, 749.0)))
                .singleElement()
                .hasToString("MISSED:  ClaimBenchmark.claim:tasks {batch=50} is 749.00, its floor 750.00"
                        + " (1,000.00 less 25 %): so it is");
    }

    @Test
    void ratioUnderTheFloorIsMissed() {
        Floor flat = new Floor(DEEP, CLAIM, 0.8, null, 0.5, "flat");

        assertThat(judged(flat, Map.of(CLAIM, 1_000.0, DEEP, 400.0))).allMatch(Verdict::isReached);
        assertThat(judged(flat, Map.of(CLAIM, 1_000.0, DEEP, 399.0)))
                .singleElement()
                .asString()
                .startsWith("MISSED:  ClaimBenchmark.claim:tasks {backlog=9, batch=50} / ClaimBenchmark.claim:tasks"
                        + " {batch=50} is 0.40, its floor 0.40");
    }

    @Test
    void costAboveItsCeilingIsMissed() {
        Floor cheap = new Floor(CLAIM, null, null, 3.0, 0.1, "cheap");

        assertThat(judged(cheap, Map.of(CLAIM, 3.3))).allMatch(Verdict::isReached);
        assertThat(judged(cheap, Map.of(CLAIM, 3.31)))
                .singleElement()
                .hasToString("MISSED:  ClaimBenchmark.claim:tasks {batch=50} is 3.31, its ceiling 3.30"
                        + " (3.00 and 10 %): cheap");
        assertThat(judged(cheap, Map.of(CLAIM, Double.NaN))).noneMatch(Verdict::isReached);
    }

    @Test
    void missingResultMissesTheFloor() {
        assertThat(judged(claimAtLeast(1_000, 0), Map.of()))
                .singleElement()
                .hasToString(
                        "MISSED:  ClaimBenchmark.claim:tasks {batch=50} is not among the results; run it too, or take"
                                + " its floor out of floors.json");
        assertThat(judged(new Floor(CLAIM, DEEP, 1.0, null, 0, "flat"), Map.of(CLAIM, 1.0)))
                .singleElement()
                .asString()
                .contains("{backlog=9, batch=50} is not among the results");
    }

    @Test
    void numbersThatAreNoneReachNoFloor() {
        assertThat(judged(claimAtLeast(1, 0), Map.of(CLAIM, Double.NaN))).noneMatch(Verdict::isReached);
    }

    @Test
    void nothingIsJudgedByServersThatForget() {
        Map<Metric, Double> numbers = new HashMap<>();
        numbers.put(CLAIM, 5_000.0);
        numbers.put(new Metric(CLAIM.benchmark(), CLAIM.params(), CostProfiler.DURABLE), 0.0);

        assertThat(judged(claimAtLeast(1_000, 0), numbers))
                .singleElement()
                .asString()
                .startsWith("MISSED:  the server does not keep what it commits")
                .contains("SWEEP_TEST_URL");
    }

    @Test
    void floorsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> claimAtLeast(0, 0)).hasMessageContaining("is 0.0; use more than 0");
        assertThatThrownBy(() -> claimAtLeast(1, 1)).hasMessageContaining("is 1.0; use 0 to less than 1");
        assertThatThrownBy(() -> new Floor(CLAIM, null, null, null, 0, "")).hasMessageContaining("give one of both");
        assertThatThrownBy(() -> new Floor(CLAIM, null, 1.0, 1.0, 0, "")).hasMessageContaining("give one of both");
        assertThatThrownBy(() -> new Floor(CLAIM, null, null, 0.0, 0, "")).hasMessageContaining("use more than 0");
    }

    @Test
    void resultsAreReadAsJmhWritesThem() throws Exception {
        Results results = Results.read(
                Path.of(FloorsTest.class.getResource("jmh-result.json").toURI()));

        assertThat(results.of(CLAIM)).hasValue(9539.25);
        assertThat(results.areDurable()).isTrue();
    }

    @Test
    void floorsOfTheProjectNameBenchmarksThatExist() throws IOException {
        assertThat(Floors.read(Path.of(System.getProperty("sweep.root"), "sweep-jmh", "floors.json"))
                        .metrics())
                .isNotEmpty()
                .filteredOn(metric -> !EndToEnd.has(metric))
                .allSatisfy(metric -> assertThat(paramsOf(metric.benchmark()))
                        .as(metric.toString())
                        .containsExactlyInAnyOrderElementsOf(metric.params().keySet()));
    }

    @Test
    void floorsOfTheProjectNameWorkloadsAndContendersThatExist() throws IOException {
        assertThat(Floors.read(Path.of(System.getProperty("sweep.root"), "sweep-jmh", "floors.json"))
                        .metrics())
                .filteredOn(EndToEnd::has)
                .isNotEmpty()
                .allSatisfy(metric -> {
                    assertThat(EndToEnd.workloadOf(metric).name()).isNotEmpty();
                    assertThat(EndToEnd.contenderOf(metric).name()).isNotEmpty();
                    assertThat(Stream.of(Figure.values()).map(Figure::key)).contains(metric.name());
                });
    }

    private static Stream<String> paramsOf(String benchmark) throws ClassNotFoundException {
        int dot = benchmark.indexOf('.');
        Class<?> type = Class.forName("dev.sweep.jmh." + benchmark.substring(0, dot));
        assertThat(type.getMethods())
                .as(benchmark)
                .anyMatch(method -> method.getName().equals(benchmark.substring(dot + 1))
                        && method.isAnnotationPresent(Benchmark.class));
        return Stream.of(type.getFields())
                .filter(field -> field.isAnnotationPresent(Param.class))
                .map(Field::getName);
    }

    private static List<Verdict> judged(Floor floor, Map<Metric, Double> numbers) {
        return new Floors(List.of(floor)).judge(new Results(numbers));
    }

    private static Floor claimAtLeast(double least, double margin) {
        return new Floor(CLAIM, null, least, null, margin, "so it is");
    }
}
