package dev.sweep;

import dev.sweep.spi.Attempt;
import dev.sweep.spi.Cancellation;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.Completion;
import dev.sweep.spi.Failure;
import dev.sweep.spi.Heartbeat;
import dev.sweep.spi.HeartbeatRequest;
import dev.sweep.spi.Reclaimed;
import dev.sweep.spi.Snooze;
import dev.sweep.spi.TaskRecord;
import dev.sweep.spi.TaskStore;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Remembers what callers of {@link Sweep} ask of a store; a worker's side it does not have. */
class RecordingTaskStore implements TaskStore {

    final List<String> calls = new ArrayList<>();
    final List<TaskRecord> enqueued = new ArrayList<>();

    @Nullable
    Connection transaction;

    /** Answers with ids 1, 2, 3... */
    @Override
    public List<Enqueued> enqueue(List<TaskRecord> tasks) {
        calls.add("enqueue");
        List<Enqueued> answers = new ArrayList<>();
        for (TaskRecord task : tasks) {
            enqueued.add(task);
            answers.add(new Enqueued(TaskId.of(enqueued.size()), true));
        }
        return answers;
    }

    @Override
    public List<Enqueued> enqueue(Connection tx, List<TaskRecord> tasks) {
        transaction = tx;
        return enqueue(tasks);
    }

    @Override
    public Optional<Task> find(TaskId id) {
        calls.add("find " + id);
        return Optional.empty();
    }

    @Override
    public List<Task> list(TaskQuery query) {
        calls.add("list " + query.limit());
        return List.of();
    }

    @Override
    public List<StatusCount> counts() {
        calls.add("counts");
        return List.of();
    }

    @Override
    public Optional<TaskStatus> cancel(TaskId id) {
        calls.add("cancel " + id);
        return Optional.of(TaskStatus.CANCELLED);
    }

    @Override
    public void pauseQueue(String queue) {
        calls.add("pause " + queue);
    }

    @Override
    public void resumeQueue(String queue) {
        calls.add("resume " + queue);
    }

    @Override
    public void close() {
        calls.add("close");
    }

    @Override
    public void verify() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Claim claim(ClaimRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<Attempt> complete(Collection<Completion> completions) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<Attempt> fail(Collection<Failure> failures) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<Attempt> snooze(Collection<Snooze> snoozes) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<Attempt> cancel(Collection<Cancellation> cancellations) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<Attempt> release(Collection<Attempt> attempts) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Heartbeat heartbeat(HeartbeatRequest request) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Reclaimed lose(Collection<Attempt> attempts) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Reclaimed reclaim(Duration leaseDuration, int limit) {
        throw new UnsupportedOperationException();
    }
}
