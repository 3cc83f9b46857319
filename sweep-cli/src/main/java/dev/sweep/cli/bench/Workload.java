package dev.sweep.cli.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** One question to a contender: how fast, or how soon, at what cost. */
public interface Workload {

    /** Its name on the command line and in the results. */
    String name();

    /** What it does, for people. */
    String about();

    /** The figure that answers it. */
    Figure answer();

    /** What a contender must be able to. */
    default Set<Ability> needs() {
        return Set.of();
    }

    /** Whether it asks what workers do that have nothing to do, so that there can be no backlog. */
    default boolean needsIdleWorkers() {
        return false;
    }

    /** Whether it needs a server of the bench's own, whose settings it may change. */
    default boolean needsOwnServer() {
        return false;
    }

    /** Does it once. */
    Figures run(Arena arena) throws SQLException, IOException, InterruptedException;

    /** All that there are, in the order in which they run. */
    static List<Workload> all() {
        return List.of(
                new BulkEnqueue("enqueue", false),
                new BulkEnqueue("enqueue-keys", true),
                new SingleEnqueue(),
                new Drain(),
                new Lives(),
                new LivesWithoutImages(),
                new PickUp(),
                new Sustained(),
                new Idle());
    }

    /** The one of that name. */
    static Workload named(String name) {
        return all().stream()
                .filter(workload -> workload.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("workload '" + name + "' is unknown; known are "
                        + all().stream().map(Workload::name).collect(Collectors.joining(", "))));
    }
}
