package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.maintenance.ChoreReport;
import dev.sweep.maintenance.ChoreState;
import dev.sweep.maintenance.Retention;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Chores as people and machines read them; the members of the JSON are named as in {@link ChoreState}. */
final class ChoreViews {

    private ChoreViews() {}

    static Table tableOfReports(List<ChoreReport> reports) {
        Table table = new Table(
                Table.left("CHORE"),
                Table.right("ROWS"),
                Table.right("TOOK"),
                Table.left("RESULT"),
                Table.left("NOTE"));
        for (ChoreReport report : reports) {
            table.row(
                    report.name(),
                    Long.toString(report.rows()),
                    report.took().toMillis() + " ms",
                    report.hasFailed() ? "failed" : "done",
                    report.error().or(report::note).orElse(""));
        }
        return table;
    }

    static ArrayNode jsonOfReports(List<ChoreReport> reports) {
        ArrayNode json = JsonText.array();
        for (ChoreReport report : reports) {
            json.addObject()
                    .put("name", report.name())
                    .put("runs", report.runs())
                    .put("rows", report.rows())
                    .put("tookMillis", report.took().toMillis())
                    .put("note", report.note().orElse(null))
                    .put("error", report.error().orElse(null));
        }
        return json;
    }

    static Table tableOfStates(List<ChoreState> states) {
        Table table = new Table(
                Table.left("CHORE"),
                Table.left("LAST SUCCESS"),
                Table.right("ROWS"),
                Table.right("ALL ROWS"),
                Table.right("TOOK"),
                Table.left("DUE"),
                Table.right("FAILURES"),
                Table.left("NOTE"));
        for (ChoreState state : states) {
            table.row(
                    state.name(),
                    toSeconds(state.succeededAt()),
                    Long.toString(state.rows()),
                    Long.toString(state.totalRows()),
                    state.took().map(took -> took.toMillis() + " ms").orElse(""),
                    toSeconds(state.dueAt()),
                    Integer.toString(state.failures()),
                    state.error().or(state::note).orElse(""));
        }
        return table;
    }

    /** One line; the durations can be given to the options as they stand. */
    static String textOf(Retention retention) {
        return "retention, for every process: succeeded " + shown(retention.succeeded()) + ", cancelled "
                + shown(retention.cancelled()) + ", dead letters " + shown(retention.deadLetters())
                + "; old partitions: " + word(retention.oldPartitions());
    }

    private static String shown(Duration duration) {
        if (duration.equals(Duration.ofDays(duration.toDays()))) {
            return duration.toDays() + "d";
        }
        return duration.equals(Duration.ofHours(duration.toHours())) ? duration.toHours() + "h" : duration.toString();
    }

    private static String word(Retention.Fate fate) {
        return fate.name().toLowerCase(Locale.ROOT);
    }

    static ObjectNode jsonOf(Retention retention, List<ChoreState> states) {
        ObjectNode json = JsonText.object();
        json.putObject("retention")
                .put("succeededMillis", retention.succeeded().toMillis())
                .put("cancelledMillis", retention.cancelled().toMillis())
                .put("deadLettersMillis", retention.deadLetters().toMillis())
                .put("oldPartitions", word(retention.oldPartitions()));
        json.set("chores", jsonOfStates(states));
        return json;
    }

    private static ArrayNode jsonOfStates(List<ChoreState> states) {
        ArrayNode json = JsonText.array();
        for (ChoreState state : states) {
            json.addObject()
                    .put("name", state.name())
                    .put("dueAt", text(state.dueAt()))
                    .put("startedAt", text(state.startedAt()))
                    .put("succeededAt", text(state.succeededAt()))
                    .put("tookMillis", state.took().map(Duration::toMillis).orElse(null))
                    .put("rows", state.rows())
                    .put("totalRows", state.totalRows())
                    .put("runs", state.runs())
                    .put("failures", state.failures())
                    .put("error", state.error().orElse(null))
                    .put("note", state.note().orElse(null));
        }
        return json;
    }

    private static String toSeconds(Optional<Instant> instant) {
        return instant.map(at -> at.truncatedTo(ChronoUnit.SECONDS).toString()).orElse("");
    }

    private static @Nullable String text(Optional<Instant> instant) {
        return instant.map(Instant::toString).orElse(null);
    }
}
