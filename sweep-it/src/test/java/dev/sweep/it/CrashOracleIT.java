package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Enqueued;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The oracle of the crash suite sees what it is there to see, in a run that went well and was then tampered with. */
class CrashOracleIT {

    private static final TaskId NOBODY = TaskId.of(1);

    @RegisterExtension
    static final Database db = Database.named("crash_oracle");

    private final CrashLedger ledger = new CrashLedger();
    private Attempt run;

    @FunctionalInterface
    private interface Tampering {
        void with(CrashOracleIT test);
    }

    private record Flaw(Tampering tampering, String promise) {
        @Override
        public String toString() {
            return promise;
        }
    }

    @SuppressWarnings("UnusedMethod") // a method source
    private static Stream<Flaw> flaws() {
        return Stream.of(
                inDatabase("delete from sweep.task_outcome", "a task is in exactly one place"),
                inDatabase(
                        "insert into sweep.task_ready (queue, rank, due_at, id, type)"
                                + " select queue, 1, due_at, id, type from sweep.task",
                        "nothing waits or runs"),
                inDatabase(
                        "insert into sweep.task_lease (worker, claimed_at, lease_until) values ('w', now(), now())",
                        "no lease is left"),
                inDatabase("update sweep.stat_delta set tasks = tasks + 1", "totals equal outcomes"),
                inDatabase("update sweep.task_outcome set retries = 1", "a failure or loss is noted"),
                inDatabase("update sweep.task_outcome set status = 'failed'", "each type ends in its way"),
                inDatabase("insert into sweep.fx select * from sweep.fx", "one effect for each transactional task"),
                inDatabase("delete from sweep.fx", "one effect for each transactional task"),
                inDatabase("update sweep.task set type = 'crash.fan-out'", "all children of each fan-out"),
                inDatabase("update sweep.task set type = 'crash.retry'", "no success before the failures"),
                inDatabase(
                        "update sweep.task set type = 'crash.plain'; delete from sweep.fx",
                        "an effect for each plain task"),
                inDatabase("delete from sweep.task; delete from sweep.task_outcome", "what was committed is there"),
                inDatabase("insert into sweep.task_key values ('k', 1)", "a key that is taken points to its task"),
                inLedger(test -> test.ledger.committed.clear(), "nothing else is there"),
                inLedger(test -> test.ledger.rolledBack.add(test.run.id()), "what was rolled back is not there"),
                inLedger(test -> test.ledger.toldAsOwner.add(NOBODY), "who is told of a duplicate finds its task"),
                inLedger(test -> test.ledger.runs.clear(), "what succeeded or failed for good had begun"),
                inLedger(
                        test -> test.ledger.runs.add(new Attempt(99, test.run.id())),
                        "each run that began has its record"),
                inLedger(test -> test.ledger.noteSaidByCancel(test.run.id(), TaskStatus.CANCELLED), "as cancel said"),
                inLedger(test -> test.ledger.noteLines(List.of("runs 7 1", "runs 7 1")), "started twice"));
    }

    private static Flaw inDatabase(String sql, String promise) {
        return new Flaw(test -> db.execute(sql), promise);
    }

    private static Flaw inLedger(Tampering tampering, String promise) {
        return new Flaw(tampering, promise);
    }

    @BeforeEach
    void aRunThatWentWell() throws Exception {
        List<Enqueued> answers = List.of(db.sweep.enqueue(CrashErrands.TX.with(Errands.NOTHING)));
        ledger.note(answers, true);
        ClaimedTask task = db.store
                .claim(new ClaimRequest(
                        "w", Set.of(CrashErrands.TX.name()), Map.of("default", 1), 0, Duration.ofMinutes(1), true))
                .tasks()
                .get(0);
        run = task.attempt();
        ledger.noteLines(List.of("runs " + run.lease() + " " + run.id()));
        db.store.completeInTransaction(List.of(task), connection -> {
            db.execute(connection, "insert into sweep.fx values (" + run.id() + ", 1, 'w', true)");
            return List.of(new Completion(run, Duration.ZERO));
        });
        db.execute("delete from sweep.task_lease");
    }

    @Test
    void aRunThatWentWellIsWithoutFault() {
        assertThat(CrashOracle.judge(db, ledger)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("flaws")
    void aFlawIsSeen(Flaw flaw) {
        flaw.tampering().with(this);

        assertThat(CrashOracle.judge(db, ledger)).anyMatch(fault -> fault.contains(flaw.promise()));
        db.empty();
    }
}
