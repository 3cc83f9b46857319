package dev.sweep.it;

import dev.sweep.Enqueued;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.spi.Attempt;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What a run of the crash suite was told and the database does not keep. Thread-safe. */
final class CrashLedger {

    final Set<TaskId> committed = ConcurrentHashMap.newKeySet();
    final Set<TaskId> rolledBack = ConcurrentHashMap.newKeySet();
    /** Owners that someone was told of whose own transaction came to its end. */
    final Set<TaskId> toldAsOwner = ConcurrentHashMap.newKeySet();

    final Map<TaskId, TaskStatus> saidByCancel = new ConcurrentHashMap<>();
    /** Runs that a handler began. */
    final Set<Attempt> runs = ConcurrentHashMap.newKeySet();

    /** Runs in batches; when a batch comes to nothing, what can't run singly in time goes back without a record. */
    final Set<Attempt> batchedRuns = ConcurrentHashMap.newKeySet();
    /** Runs that came to nothing because the database was away, and were given back; only of which task is told. */
    final Map<TaskId, Integer> givenUp = new ConcurrentHashMap<>();

    final Set<Attempt> snoozes = ConcurrentHashMap.newKeySet();
    final Queue<String> faults = new ConcurrentLinkedQueue<>();

    void fault(String fault) {
        faults.add(fault);
    }

    /** What a transaction was told that then committed, or did not. */
    void note(List<Enqueued> answers, boolean isCommitted) {
        List<TaskId> fresh =
                answers.stream().filter(Enqueued::isNew).map(Enqueued::id).toList();
        (isCommitted ? committed : rolledBack).addAll(fresh);
        answers.stream()
                .filter(answer -> !answer.isNew())
                .map(Enqueued::id)
                .filter(owner -> !fresh.contains(owner))
                .forEach(toldAsOwner::add);
    }

    void noteSaidByCancel(TaskId id, TaskStatus status) {
        if (!status.isFinal()) {
            fault("cancel said that task " + id + " is " + status);
        }
        saidByCancel.merge(id, status, (first, second) -> {
            if (first != second) {
                fault("cancel said that task " + id + " is " + first + ", then " + second);
            }
            return first;
        });
    }

    /** What worker processes said. */
    void noteLines(Collection<String> lines) {
        for (String line : lines) {
            String[] words = line.split(" ", -1);
            if (line.startsWith("runs ") && !runs.add(attempt(words))) {
                fault("an attempt was started twice: " + line);
            } else if (line.startsWith("batches ")) {
                batchedRuns.add(attempt(words));
            } else if (line.startsWith("gives-up ")) {
                givenUp.merge(TaskId.of(Long.parseLong(words[1])), 1, Integer::sum);
            } else if (line.startsWith("snoozes ")) {
                snoozes.add(attempt(words));
            }
        }
    }

    private static Attempt attempt(String[] words) {
        return new Attempt(Long.parseLong(words[1]), TaskId.of(Long.parseLong(words[2])));
    }
}
