package dev.sweep.cli.bench;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A contender under a load: what has a line of its own in the result.
 *
 * @param workers how many worker processes it has
 * @param isBase whether it is what the same contender under the plan's load is compared to
 */
record Entrant(Contender contender, Load load, int workers, boolean isBase) {

    String label() {
        return isBase ? contender.name() + "/base" : contender.name();
    }

    /** Whether its figures are told as ratios to the other's. */
    boolean isComparedTo(Entrant other) {
        boolean isSame = contender.name().equals(other.contender.name());
        return isSame ? other.isBase && !isBase : other.contender.isReference() && other.isBase == isBase;
    }

    /** What stands in the way of a workload, for people; empty: nothing. */
    Optional<String> obstacle(Workload workload, boolean isOwnServer) {
        if (workload.needsOwnServer() && !isOwnServer) {
            return Optional.of("changes settings of the server; it runs without --url only");
        }
        if (workload.needsIdleWorkers() && load.backlog() > 0) {
            return Optional.of("asks idle workers; leave --backlog out");
        }
        Set<Ability> lacking = EnumSet.noneOf(Ability.class);
        lacking.addAll(workload.needs());
        if (load.backlog() > 0 || load.finished() > 0) {
            lacking.add(Ability.STOCK);
        }
        if (load.finished() > 0) {
            lacking.add(Ability.HISTORY);
        }
        lacking.retainAll(contender.lacks());
        return lacking.isEmpty()
                ? Optional.empty()
                : Optional.of(contender.name() + " lacks "
                        + lacking.stream()
                                .map(ability -> ability.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", ")));
    }

    /** The partitions that it can have. */
    int partitions() {
        return contender.lacks().contains(Ability.PARTITIONS) ? 0 : load.partitions();
    }
}
