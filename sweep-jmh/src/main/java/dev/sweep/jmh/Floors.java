package dev.sweep.jmh;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a run has to reach, as {@code floors.json} says. */
record Floors(List<Floor> floors) {

    Floors {
        floors = List.copyOf(floors);
    }

    /** A file with an array of {@link Floor}s. */
    static Floors read(Path file) throws IOException {
        return new Floors(List.of(new JsonMapper().readValue(file.toFile(), Floor[].class)));
    }

    /** All numbers that are asked for. */
    Set<Metric> metrics() {
        Set<Metric> metrics = new LinkedHashSet<>();
        for (Floor floor : floors) {
            metrics.add(floor.metric());
            @Nullable Metric against = floor.against();
            if (against != null) {
                metrics.add(against);
            }
        }
        return metrics;
    }

    /** One verdict for each floor; none is reached by numbers that are none. */
    List<Verdict> judge(Results results) {
        if (!results.areDurable()) {
            return List.of(new Verdict(
                    false,
                    "the server does not keep what it commits, so no floor is judged; set fsync and synchronous_commit to"
                            + " on there, or leave SWEEP_TEST_URL out for an embedded server that is durable"));
        }
        return floors.stream().map(floor -> floor.judge(results)).toList();
    }
}
