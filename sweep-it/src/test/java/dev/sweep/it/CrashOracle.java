package dev.sweep.it;

import dev.sweep.TaskId;
import dev.sweep.spi.Attempt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Judges a run of the crash suite that has come to rest: the tables, against themselves and against the ledger. */
final class CrashOracle {

    private static final Map<String, String> AT_REST = Map.ofEntries(
            Map.entry(
                    "nothing waits or runs",
                    "select id from sweep.task_ready union all select id from sweep.task_running"),
            Map.entry("no lease is left", "select id from sweep.task_lease"),
            Map.entry("each type ends in its way, unless it was cancelled", """
                    select type || ' ' || status from sweep.tasks
                    where status not in ('cancelled', case type when 'crash.fail' then 'failed' when 'crash.give-up' then '-' else 'succeeded' end)
                    """),
            Map.entry("one effect for each transactional task that succeeded, and for no other", """
                    select t.id from sweep.tasks t where t.type in ('crash.tx', 'crash.retry', 'crash.batch.tx', 'crash.fan-out')
                    and (select count(*) from sweep.fx x where x.task_id = t.id and x.transactional)
                        <> (t.status = 'succeeded')::int
                    """),
            Map.entry("an effect for each plain task that succeeded, and at most one for each run", """
                    select t.id from sweep.tasks t
                    cross join lateral (select count(*) as n from sweep.fx x where x.task_id = t.id) x
                    where t.type in ('crash.plain', 'crash.snooze', 'crash.batch') and t.status = 'succeeded'
                    and (x.n < 1 or t.type = 'crash.plain' and x.n > 1 + t.retry_count + t.losses)
                    """),
            Map.entry(
                    "no success before the failures that were planned",
                    "select id from sweep.tasks where type = 'crash.retry' and status = 'succeeded' and retry_count < "
                            + CrashErrands.FAILURES),
            Map.entry("all children of each fan-out that succeeded, and of no other", """
                    select p.id from sweep.tasks p
                    left join (select (headers->>'parent')::bigint as parent, count(*) as n from sweep.tasks
                               where headers ? 'parent' group by 1) c on c.parent = p.id
                    where p.type = 'crash.fan-out'
                    and coalesce(c.n, 0) <> case when p.status = 'succeeded' then %d else 0 end
                    """.formatted(
                            CrashErrands.CHILDREN)),
            Map.entry(
                    "one task for each key that is kept",
                    "select dedup_key from sweep.task where dedup_key like 'kept %' group by 1 having count(*) > 1"),
            Map.entry("no session is left in a transaction, or with a lock of its own", """
                    select a.pid || ' ' || a.query from pg_stat_activity a
                    where a.application_name like current_schema_name() || '%'
                    and (a.state like 'idle in transaction%'
                         or exists (select from pg_locks k where k.pid = a.pid and k.locktype = 'advisory'))
                    """));

    private final Database db;
    private final CrashLedger ledger;
    private final List<String> faults = new ArrayList<>();

    private CrashOracle(Database db, CrashLedger ledger) {
        this.db = db;
        this.ledger = ledger;
    }

    /** What is wrong, one line each; empty if all is well. */
    static List<String> judge(Database db, CrashLedger ledger) {
        CrashOracle oracle = new CrashOracle(db, ledger);
        Promises.ALWAYS.forEach(oracle::look);
        AT_REST.forEach(oracle::look);
        oracle.whatWasEnqueuedIsThere();
        oracle.whatWasSaidByCancelIsSo();
        oracle.runsAddUp();
        oracle.faults.addAll(ledger.faults);
        return oracle.faults;
    }

    private void look(String promise, String sql) {
        report(promise, db.query(sql.replace("current_schema_name()", "'" + db.schema + "'")));
    }

    private void whatWasEnqueuedIsThere() {
        Set<TaskId> there = new HashSet<>();
        db.query("select id from sweep.task where not coalesce(headers ? 'parent', false)")
                .forEach(id -> there.add(TaskId.of((Long) id)));
        report("what was committed is there", without(ledger.committed, there));
        report("nothing else is there", without(there, ledger.committed));
        report("who is told of a duplicate finds its task", without(ledger.toldAsOwner, there));
        Set<TaskId> both = new HashSet<>(ledger.rolledBack);
        both.retainAll(there);
        report("what was rolled back is not there", both);
    }

    private void whatWasSaidByCancelIsSo() {
        Map<TaskId, String> ends = new TreeMap<>();
        db.query("select id || ' ' || status from sweep.task_outcome").forEach(row -> {
            String[] words = ((String) row).split(" ", -1);
            ends.put(TaskId.of(Long.parseLong(words[0])), words[1]);
        });
        report(
                "a task ends as cancel said",
                ledger.saidByCancel.entrySet().stream()
                        .filter(said -> !said.getValue().word().equals(ends.get(said.getKey())))
                        .toList());
    }

    /** Every run that began is a success, failure, loss, snooze, cancel or given up; and what succeeded or failed had begun. */
    private void runsAddUp() {
        Set<Attempt> known = new HashSet<>(ledger.snoozes);
        known.addAll(attempts("select lease || ' ' || id from sweep.task_failure"));
        known.addAll(attempts("select lease || ' ' || id from sweep.task_outcome where lease is not null"));
        Map<TaskId, Long> unrecorded =
                without(ledger.runs, known).stream().collect(Collectors.groupingBy(Attempt::id, Collectors.counting()));
        unrecorded.keySet().removeIf(id -> unrecorded.get(id) <= ledger.givenUp.getOrDefault(id, 0));
        report(
                "each run that began has its record, or was given up",
                unrecorded.keySet().stream().flatMap(id -> history(id).stream()).toList());
        Set<Attempt> begun = new HashSet<>(ledger.runs);
        begun.addAll(ledger.batchedRuns);
        report(
                "what succeeded or failed for good had begun",
                without(
                        attempts("select lease || ' ' || id from sweep.task_outcome where status <> 'cancelled'"),
                        begun));
    }

    private List<Object> history(TaskId id) {
        return db.query("select id || ' ' || type || ' ' || status || ', leases of failures '"
                + " || array(select lease from sweep.task_failure f where f.id = t.id)::text || ', of the outcome '"
                + " || coalesce((select lease from sweep.task_outcome o where o.id = t.id), 0) || ', runs "
                + ledger.runs.stream()
                        .filter(run -> run.id().equals(id))
                        .map(Attempt::lease)
                        .toList()
                + ", snoozes "
                + ledger.snoozes.stream()
                        .filter(run -> run.id().equals(id))
                        .map(Attempt::lease)
                        .toList()
                + "' from sweep.tasks t where id = " + id);
    }

    private Set<Attempt> attempts(String sql) {
        return db.query(sql).stream()
                .map(row -> ((String) row).split(" ", -1))
                .map(words -> new Attempt(Long.parseLong(words[0]), TaskId.of(Long.parseLong(words[1]))))
                .collect(Collectors.toSet());
    }

    private static <T> Set<T> without(Set<T> all, Set<T> these) {
        Set<T> rest = new HashSet<>(all);
        rest.removeAll(these);
        return rest;
    }

    private void report(String promise, Collection<?> broken) {
        if (!broken.isEmpty()) {
            faults.add(promise + ": not so for " + broken.size() + ", such as "
                    + broken.stream().limit(5).toList());
        }
    }
}
