package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.BulkResult;
import dev.sweep.Sweep;
import dev.sweep.TaskAdmin;
import dev.sweep.TaskChange;
import dev.sweep.TaskId;
import dev.sweep.TaskSelection;
import dev.sweep.TaskStatus;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command that changes the tasks that are named, or all that match a filter. A filter only counts at first; then it
 * asks the person at the terminal, or prints the command that changes what was counted.
 */
abstract class ChangeCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 2;

    @Mixin
    private TargetOptions targets;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Spec
    private CommandSpec command;

    /** What is done, such as {@code cancelled}. */
    abstract String done();

    /** The statuses of tasks that can be changed so. */
    abstract Set<TaskStatus> changeable();

    /** Refuses options that make no sense, before anything is opened. */
    void check() {}

    abstract TaskChange one(Sweep sweep, TaskId id);

    /** For people: what became of one task that is there. */
    abstract String said(TaskChange change);

    /** Whether the task now is as it was asked to be. */
    abstract boolean isAsAsked(TaskChange change);

    abstract BulkResult all(TaskAdmin admin, TaskSelection selection, Consumer<BulkResult> progress)
            throws InterruptedException;

    @Override
    public Integer call() throws InterruptedException {
        List<TaskId> ids = targets.ids();
        check();
        try (OpenSweep opened = database.open(CONNECTIONS)) {
            return ids.isEmpty() ? matching(opened) : named(opened, ids);
        }
    }

    private int named(OpenSweep opened, List<TaskId> ids) {
        boolean areAsAsked = true;
        int changed = 0;
        for (TaskId id : ids) {
            TaskChange change = one(opened.sweep(), id);
            changed += change.kind() == TaskChange.Kind.CHANGED ? 1 : 0;
            areAsAsked &= told(change);
        }
        output.remark(AuditLine.of(
                opened,
                changed + " " + done() + " of "
                        + ids.stream().map(TaskId::toString).collect(Collectors.joining(" "))));
        return areAsAsked ? ExitCode.OK : ExitCode.FAILED;
    }

    private boolean told(TaskChange change) {
        switch (change.kind()) {
            case NO_SUCH_TASK -> {
                output.remark(command.qualifiedName() + ": "
                        + NoSuchTask.of(change.id()).getMessage());
                return false;
            }
            case BUSY -> {
                output.remark(command.qualifiedName() + ": task " + change.id()
                        + " is held by another transaction; nothing was changed; try again");
                return false;
            }
            case CHANGED, UNCHANGED, REQUEUED_BEFORE -> {
                output.result(json(change), said(change));
                return isAsAsked(change);
            }
        }
        throw new IllegalStateException("a change of no kind: " + change);
    }

    private static ObjectNode json(TaskChange change) {
        ObjectNode json = JsonText.object();
        json.put("id", change.id().value());
        json.put("result", word(change.kind()));
        change.status().ifPresent(status -> json.put("status", status.word()));
        change.requeuedAs().ifPresent(id -> json.put("newId", id.value()));
        return json;
    }

    private static String word(TaskChange.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private int matching(OpenSweep opened) throws InterruptedException {
        TaskSelection selection = opened.sweep().admin().select(targets.filter(changeable()));
        if (!targets.isMeant()) {
            return counted(opened, selection);
        }
        if (selection.count() > targets.atMost()) {
            throw new CliException(
                    ExitCode.FAILED,
                    amount(selection) + " match by now, more than the " + targets.atMost()
                            + " of --at-most; nothing was changed; look again without --yes");
        }
        return changed(opened, selection);
    }

    /** A person who says yes to the count means exactly the tasks that were counted; else the command for that is told. */
    private int counted(OpenSweep opened, TaskSelection selection) throws InterruptedException {
        Optional<Boolean> isMeant = selection.ids().isEmpty() || targets.isDryRun() || output.isJson()
                ? Optional.empty()
                : confirmation().ask(matching(selection) + ". Shall they be " + done() + " now?", output.err());
        if (isMeant.isEmpty()) {
            count(selection);
            return ExitCode.OK;
        }
        if (isMeant.get()) {
            return changed(opened, selection);
        }
        output.remark("Nothing was changed.");
        return ExitCode.OK;
    }

    private Confirmation confirmation() {
        return ((SweepCommand) command.root().userObject()).confirmation();
    }

    private int changed(OpenSweep opened, TaskSelection selection) throws InterruptedException {
        ProgressLine progress = ProgressLine.onTerminal(output.err());
        BulkResult result = all(
                opened.sweep().admin(),
                selection,
                soFar -> progress.show(() -> soFar.total() + " of " + amount(selection)));
        progress.clear();
        output.result(json(selection, result), summary(selection, result));
        output.remark(AuditLine.of(opened, result.changed() + " " + done() + " by " + typed()));
        return result.busy() == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    private void count(TaskSelection selection) {
        ObjectNode json = JsonText.object();
        json.put("matching", selection.count());
        json.put("cutOff", selection.isCutOff());
        if (selection.newest().isEmpty()) {
            output.result(json, "no task matches");
            return;
        }
        TaskId newest = selection.newest().get();
        String toDo = SameCommand.with(
                words(), "--up-to", newest.toString(), "--at-most", Integer.toString(selection.count()), "--yes");
        json.put("newest", newest.value());
        json.put("command", toDo);
        output.result(json, matching(selection) + "; the newest is " + newest);
        output.remark("Nothing was changed. For these to be " + done() + ", run: " + toDo);
    }

    private static String matching(TaskSelection selection) {
        return amount(selection) + " match" + (selection.isCutOff() ? ", the oldest of still more" : "");
    }

    private String summary(TaskSelection selection, BulkResult result) {
        StringBuilder text = new StringBuilder(result.changed() + " of " + amount(selection) + " " + done());
        result.unchanged().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(left -> text.append("; ")
                        .append(left.getValue())
                        .append(" left alone: ")
                        .append(left.getKey().word()));
        append(text, result.requeuedBefore(), " requeued before");
        append(text, result.missing(), " not found");
        append(text, result.busy(), " held by other transactions: run it again");
        return text.toString();
    }

    private static void append(StringBuilder text, long count, String what) {
        if (count > 0) {
            text.append("; ").append(count).append(what);
        }
    }

    private static ObjectNode json(TaskSelection selection, BulkResult result) {
        ObjectNode json = JsonText.object();
        json.put("selected", selection.count());
        json.put("changed", result.changed());
        ObjectNode unchanged = json.putObject("unchanged");
        result.unchanged().forEach((status, count) -> unchanged.put(status.word(), count));
        json.put("requeuedBefore", result.requeuedBefore());
        json.put("missing", result.missing());
        json.put("busy", result.busy());
        return json;
    }

    private static String amount(TaskSelection selection) {
        return selection.count() == 1 ? "1 task" : String.format(Locale.ROOT, "%,d tasks", selection.count());
    }

    private String typed() {
        return SameCommand.with(words());
    }

    private List<String> words() {
        return command.root().commandLine().getParseResult().originalArgs();
    }
}
