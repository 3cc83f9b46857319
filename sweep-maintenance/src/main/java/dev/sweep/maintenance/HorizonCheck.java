package dev.sweep.maintenance;

import java.time.Duration;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Who keeps dead rows from being removed: transactions, prepared ones, replication slots, standbys with feedback. All that
 * hold the horizon back by much are named, since ending the oldest alone uncovers the next.
 */
final class HorizonCheck implements Check {

    /**
     * From when on it is told.
     *
     * @param longHeld a warning
     * @param veryLongHeld a fault
     * @param manyXids a warning about those whose begin is not known
     */
    record Bounds(Duration longHeld, Duration veryLongHeld, long manyXids) {

        static final Bounds DEFAULT = new Bounds(Duration.ofMinutes(5), Duration.ofHours(1), 1_000_000);
    }

    private final DoctorStatements statements;
    private final Bounds bounds;

    HorizonCheck(DoctorStatements statements, Bounds bounds) {
        this.statements = statements;
        this.bounds = bounds;
    }

    @Override
    public String name() {
        return "horizon";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        long oldest = 0;
        for (Record holder : sql.fetch(statements.horizonHolders())) {
            Long seconds = holder.get("seconds", Long.class);
            oldest = Math.max(oldest, seconds == null ? 0 : seconds);
            tell(holder, seconds, found);
        }
        if (sql.fetchSingle(statements.hiddenSessions()).get(0, Boolean.class)) {
            found.notVisible("the transactions of other roles are");
        }
        found.otherwise(
                oldest == 0 ? "nobody holds dead rows back" : "the oldest transaction began " + shown(oldest) + " ago",
                Map.of("seconds", oldest));
    }

    private void tell(Record holder, @Nullable Long seconds, Findings found) {
        long xids = holder.get("xids", Long.class);
        boolean isLong = seconds == null
                ? xids >= bounds.manyXids()
                : seconds >= bounds.longHeld().toSeconds();
        if (!isLong) {
            return;
        }
        String what = holder.get("who", String.class) + " keeps dead rows from being removed"
                + (seconds == null ? "" : ", for " + shown(seconds)) + " (" + xids + " transactions ago)";
        String remedy = holder.get("remedy", String.class);
        Map<String, Number> numbers = seconds == null ? Map.of("xids", xids) : Map.of("seconds", seconds, "xids", xids);
        if (seconds != null && seconds >= bounds.veryLongHeld().toSeconds()) {
            found.fault(what, remedy, numbers);
        } else {
            found.warning(what, remedy, numbers);
        }
    }

    /** A length of time for people, in one or two units. */
    static String shown(long seconds) {
        if (seconds < 120) {
            return seconds + " s";
        }
        long minutes = seconds / 60;
        if (minutes < 120) {
            return minutes + " min";
        }
        long hours = minutes / 60;
        return hours < 48 ? hours + " h" : hours / 24 + " d";
    }
}
