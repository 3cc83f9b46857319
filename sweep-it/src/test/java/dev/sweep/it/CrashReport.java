package dev.sweep.it;

import java.time.Duration;

/** What a run of the crash suite did, as a block of lines for people. */
final class CrashReport {

    private CrashReport() {}

    static String of(Database db, CrashRun run, CrashTally tally, long seed, Duration lasted) {
        return String.join(
                "\n",
                "crash suite, seed " + seed + ", " + lasted.toSeconds() + " s of misfortunes, "
                        + Runtime.getRuntime().availableProcessors() + " processors, PostgreSQL "
                        + db.query("select current_setting('server_version')").get(0),
                "  misfortunes: " + run.misfortunes(),
                "  tasks: "
                        + db.query("select status || ' ' || count(*) from sweep.tasks group by status order by status")
                        + ", retries "
                        + db.query("select sum(retry_count) from sweep.tasks").get(0) + ", losses "
                        + db.query("select sum(losses) from sweep.tasks").get(0),
                "  enqueued: committed " + run.ledger.committed.size() + ", rolled back "
                        + run.ledger.rolledBack.size() + ", told of a duplicate of "
                        + run.ledger.toldAsOwner.size() + " tasks, asked to cancel "
                        + run.ledger.saidByCancel.size(),
                "  runs begun: " + (run.ledger.runs.size() + run.ledger.batchedRuns.size()) + ", snoozed "
                        + run.ledger.snoozes.size() + ", given up of " + run.ledger.givenUp.size() + " tasks",
                "  " + tally);
    }
}
