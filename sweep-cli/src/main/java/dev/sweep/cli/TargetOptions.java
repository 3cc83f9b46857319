package dev.sweep.cli;

import dev.sweep.TaskFilter;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Which tasks to change: those that are named, or all that match a filter. */
final class TargetOptions {

    /** Text, because picocli takes a bad one in a list for an argument that it does not know. */
    @Parameters(paramLabel = "ID", description = "The tasks' ids, or a filter by the options below.")
    private List<String> ids = new ArrayList<>();

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            converter = TaskStatusConverter.class,
            description = "Only tasks with this status (default: all that can be changed so).")
    private @Nullable TaskStatus status;

    @Option(names = "--type", paramLabel = "TYPE", description = "Only tasks of this type.")
    private @Nullable String type;

    @Option(names = "--queue", paramLabel = "QUEUE", description = "Only tasks of this queue.")
    private @Nullable String queue;

    @Option(
            names = "--created-from",
            paramLabel = "INSTANT",
            converter = InstantConverter.class,
            description = "Only tasks created then or later.")
    private @Nullable Instant createdFrom;

    @Option(
            names = "--created-before",
            paramLabel = "INSTANT",
            converter = InstantConverter.class,
            description = "Only tasks created before.")
    private @Nullable Instant createdBefore;

    @Option(
            names = "--up-to",
            paramLabel = "ID",
            converter = TaskIdConverter.class,
            description = "Only this task and older ones: what the look before has counted.")
    private @Nullable TaskId upTo;

    @Option(
            names = "--at-most",
            paramLabel = "N",
            description = "Change nothing if more tasks match by now than the look before has counted.")
    private @Nullable Integer atMost;

    @Option(names = "--yes", description = "Change what matches; without it, a filter only counts. Needs --up-to.")
    private boolean yes;

    @Option(names = "--dry-run", description = "Only count, and don't ask at a terminal whether to go on.")
    private boolean dryRun;

    /** The named tasks; empty if a filter is given. Neither of both, or both, is refused. */
    List<TaskId> ids() {
        boolean isFiltered =
                status != null || type != null || queue != null || createdFrom != null || createdBefore != null;
        boolean isBound = upTo != null || atMost != null || yes || dryRun;
        if (ids.isEmpty() && !isFiltered) {
            throw CliException.badInput("say which tasks: their ids, or a filter such as --type, --queue or --status");
        }
        if (!ids.isEmpty() && (isFiltered || isBound)) {
            throw CliException.badInput("tasks are named by ids and by a filter too; keep one of both");
        }
        if (yes && dryRun) {
            throw CliException.badInput("--yes and --dry-run contradict each other; keep one");
        }
        if (yes && upTo == null) {
            throw CliException.badInput("--yes needs --up-to ID; run the command without --yes first: it counts what"
                    + " matches and prints the whole command");
        }
        if (atMost != null && atMost < 0) {
            throw CliException.badInput("--at-most " + atMost + " is out of range; use 0 or more");
        }
        return ids.stream().map(TargetOptions::id).toList();
    }

    private static TaskId id(String text) {
        try {
            return new TaskIdConverter().convert(text);
        } catch (TypeConversionException notId) {
            throw new CliException(ExitCode.BAD_INPUT, String.valueOf(notId.getMessage()), notId);
        }
    }

    /** @param changeable the statuses that are meant if none is given */
    TaskFilter filter(Set<TaskStatus> changeable) {
        List<TaskStatus> statuses = List.copyOf(status == null ? changeable : Set.of(status));
        TaskFilter filter = TaskFilter.status(
                statuses.get(0), statuses.subList(1, statuses.size()).toArray(TaskStatus[]::new));
        filter = type == null ? filter : filter.type(type);
        filter = queue == null ? filter : filter.queue(queue);
        filter = createdFrom == null ? filter : filter.createdFrom(createdFrom);
        filter = createdBefore == null ? filter : filter.createdBefore(createdBefore);
        return upTo == null ? filter : filter.upTo(upTo);
    }

    /** Whether what matches shall be changed, not only counted. */
    boolean isMeant() {
        return yes;
    }

    /** Whether it must stay at the count. */
    boolean isDryRun() {
        return dryRun;
    }

    /** How many tasks may match. */
    int atMost() {
        return atMost == null ? Integer.MAX_VALUE : atMost;
    }
}
