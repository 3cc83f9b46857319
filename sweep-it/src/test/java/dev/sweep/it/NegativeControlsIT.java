package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import dev.sweep.testing.TaskStoreContract;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;
import org.junit.platform.testkit.engine.Events;

/**
 * A test that can't fail proves nothing: each fence of the store is taken out once, and the test that guards it is run
 * and seen to fail. On the store as it is the same tests pass, elsewhere in this build.
 */
class NegativeControlsIT {

    private static final String FENCE = "where h\\.lease = u\\.lease and h\\.id = u\\.id";
    private static final String BY_ID_ONLY = "where h.id = u.id";
    private static final Guard PROPERTIES =
            new Guard("jqwik", selectClass(SabotagedStore.Properties.class), "TaskStoreProperties");

    /** @param guard the test that must catch it */
    record Control(String broken, Sabotage sabotage, Guard guard) {
        @Override
        public String toString() {
            return broken;
        }
    }

    static List<Control> controls() {
        return List.of(
                new Control(
                        "completion by task id only",
                        Sabotage.ofStatement("'succeeded'", FENCE, BY_ID_ONLY),
                        contract("Reclaiming", "outcomesOfAReclaimedAttemptAreRefused")),
                new Control(
                        "failure by task id only",
                        Sabotage.ofStatement("k.again_at is null", FENCE, BY_ID_ONLY),
                        contract("Reclaiming", "outcomesOfAReclaimedAttemptAreRefused")),
                new Control(
                        "snooze by task id only",
                        Sabotage.ofStatement("u.due_at as asked_at", FENCE, BY_ID_ONLY),
                        contract("Reclaiming", "outcomesOfAReclaimedAttemptAreRefused")),
                new Control(
                        "release by task id only",
                        Sabotage.ofStatement("e.moved from ended", FENCE, BY_ID_ONLY),
                        contract("Reclaiming", "outcomesOfAReclaimedAttemptAreRefused")),
                new Control(
                        "release that loses the entry",
                        Sabotage.ofStatement("e.moved from ended", "e\\.moved from ended e", "$0 where false"),
                        PROPERTIES),
                new Control(
                        "retry that is counted twice",
                        Sabotage.ofStatement(
                                "k.again_at is null", "k\\.type, k\\.retries \\+ 1", "k.type, k.retries + 2"),
                        PROPERTIES),
                new Control(
                        "failure judged before it is recorded, while the COMMIT of a completion is under way",
                        Sabotage.ofStatement(
                                "k.again_at is null",
                                "delete from (\\S+) r\\s+using (\\(select.*?\\) u)\\s+cross join lateral .*?"
                                        + "where r\\.ctid = k\\.ctid\\s+returning (.*?)\\s+\\), known",
                                "select $3 from $1 r, $2 where r.lease = u.lease and r.id = u.id), gone as (delete from $1"
                                        + " where ctid = any(array(select g.ctid from $1 g join ended e"
                                        + " on g.lease = e.lease and g.id = e.id for update of g skip locked))), known"),
                        test(HandlerFencesIT.class, "aFailureThatIsReportedWhileTheCommitIsUnderWayIsRefused")),
                new Control(
                        "transactional completion whose row count tells nothing",
                        Sabotage.ofStatement(
                                "'succeeded'",
                                "with ended as \\(\\s+delete from (\\S+) r\\s+using (\\(select.*?\\) u)(\\s+cross.*)from ended$",
                                "with asked as materialized (select * from $2), ended as (delete from $1 r using asked u$3"
                                        + "from asked"),
                        test(HandlerFencesIT.class, "aTransactionWhoseTaskWasTakenBackLeavesNoEffect")),
                new Control(
                        "reclaim judged before it acts, then by task id only",
                        Sabotage.ofStatement(
                                "with lost as",
                                "delete from (\\S+)\\s+where ctid = any\\(array\\(\\s+select r\\.ctid(.*?)"
                                        + "for update skip locked\\)\\)\\s+returning \\*",
                                "select r.* $2), gone as (delete from $1 where ctid = any(array(select g.ctid from $1 g"
                                        + " where g.id in (select id from lost) for update skip locked))"),
                        test(ReclaimIT.class, "aReclaimTakesOnlyWhatIsStillLapsedAndNobodyElseIsEnding")),
                new Control(
                        "reclaim of leases that have not lapsed",
                        Sabotage.ofStatement(
                                "pg_postmaster_start_time", "l\\.lease_until < clock_timestamp\\(\\)", "true"),
                        PROPERTIES),
                new Control(
                        "heartbeat that revives a lease after all was taken back",
                        Sabotage.ofStatement(
                                "set lease_until",
                                "and exists \\(select from \\S+ r where r\\.lease = l\\.id offset 0\\)",
                                ""),
                        contract("Heartbeating", "leasesThatHoldNothingAreNotExtended")),
                new Control(
                        "heartbeat that finds nothing gone",
                        Sabotage.ofStatement(
                                "set lease_until",
                                "where (not exists \\(\\s*select from \\S+ r where r\\.lease = a)",
                                "where false and $1"),
                        PROPERTIES),
                new Control(
                        "claim over its room",
                        Sabotage.ofStatement("q.rank_room", "limit q\\.(rank_)?room", "limit 1000"),
                        contract("Claiming", "roomBoundsEachQueueHoweverManyWait")),
                new Control(
                        "cancel that leaves the attempt its right",
                        Sabotage.ofFunction(
                                "cancel_task",
                                "delete from (\\S+) r where r\\.id = task_id\\s+returning ([^)]*)\\)",
                                "select $2 from $1 r where r.id = task_id)"),
                        contract("Cancelling", "runningTaskIsCancelledAndItsOutcomeRefused")),
                new Control(
                        "key that is taken from an owner that has not ended",
                        Sabotage.ofFunction("take_keys", "and \\(k\\.until <= clock_timestamp\\(\\)", "and (true"),
                        PROPERTIES));
    }

    @ParameterizedTest
    @MethodSource("controls")
    void aMissingFenceIsCaught(Control control) {
        AtomicReference<Events> seen = new AtomicReference<>();

        int hits = control.sabotage().during(() -> seen.set(control.guard().run()));

        assertThat(hits)
                .as("statements that were broken; if there is none, the fence is written in another way now")
                .isPositive();
        assertThat(seen.get().started().count()).as("guards that were run").isEqualTo(1);
        assertThat(seen.get().failed().count()).as("guards that saw it").isEqualTo(1);
        assertThat(seen.get().failed().stream().map(NegativeControlsIT::whyItFailed))
                .as("a statement that is broken so that it does not run shows nothing")
                .noneMatch(why -> why.contains("SQLSTATE 42"));
        System.err.println("negative control: " + control + " -> " + control.guard());
    }

    private static String whyItFailed(Event failure) {
        return failure.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .orElseThrow()
                .toString();
    }

    /** A test that is run on the sabotaged store. */
    record Guard(String engine, DiscoverySelector selector, String name) {

        Events run() {
            return EngineTestKit.engine(engine).selectors(selector).execute().testEvents();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Guard contract(String part, String method) {
        return new Guard(
                "junit-jupiter",
                selectNestedMethod(
                        List.of(SabotagedStore.Contract.class.getName()),
                        TaskStoreContract.class.getName() + "$" + part,
                        method),
                "TaskStoreContract." + part + "." + method);
    }

    private static Guard test(Class<?> guard, String method) {
        return new Guard("junit-jupiter", selectMethod(guard, method), guard.getSimpleName() + "." + method);
    }
}
