package dev.sweep.worker;

import dev.sweep.spi.Attempt;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What this process holds, by lease: attempts that are buffered, running, or ended with an outcome that is not durable yet.
 * A lease stays as long as it holds one of them. Thread-safe.
 */
final class HeldLeases {

    private final Map<Long, HeldLease> leases = new HashMap<>();
    /** Tasks that were lost before: until their outcome is durable, whatever takes the process down costs them another loss. */
    private final Set<Attempt> lost = new HashSet<>();

    private final Runnable onLostGone;

    /** @param onLostGone told when one of those that {@link #holdLost} counts is gone */
    HeldLeases(Runnable onLostGone) {
        this.onLostGone = onLostGone;
    }

    /** Takes over what a claim brought, before anything else is done with it; in claim order. */
    synchronized List<HeldAttempt> open(Claim claim, Moment sentAt, Moment end) {
        HeldLease lease = new HeldLease(end);
        List<HeldAttempt> opened = new ArrayList<>(claim.tasks().size());
        for (ClaimedTask task : claim.tasks()) {
            HeldAttempt attempt = new HeldAttempt(task, lease, sentAt);
            lease.attempts().put(task.attempt(), attempt);
            opened.add(attempt);
            if (attempt.wasLost()) {
                lost.add(task.attempt());
            }
        }
        leases.put(claim.lease(), lease);
        return opened;
    }

    /** These attempts are over, or left to lapse. */
    void settle(Collection<Attempt> attempts) {
        remove(attempts);
        leaveOut(attempts);
    }

    /** Others need not wait for them: their end is held up, and nobody knows for how long. */
    void leaveOut(Collection<Attempt> attempts) {
        if (removeLost(attempts)) {
            onLostGone.run();
        }
    }

    private synchronized boolean removeLost(Collection<Attempt> attempts) {
        return !lost.isEmpty() && lost.removeAll(attempts);
    }

    private synchronized void remove(Collection<Attempt> attempts) {
        for (Attempt attempt : attempts) {
            HeldLease lease = leases.get(attempt.lease());
            if (lease != null
                    && lease.attempts().remove(attempt) != null
                    && lease.attempts().isEmpty()) {
                leases.remove(attempt.lease());
            }
        }
    }

    /** Whether a task that was lost before is held, and not left out. */
    synchronized boolean holdLost() {
        return !lost.isEmpty();
    }

    /** The store has extended these leases. */
    synchronized void extend(Collection<Long> extended, Moment confirmedEnd) {
        for (Long number : extended) {
            HeldLease lease = leases.get(number);
            if (lease != null) {
                lease.extend(confirmedEnd);
            }
        }
    }

    synchronized Set<Long> numbers() {
        return Set.copyOf(leases.keySet());
    }

    synchronized Set<Attempt> attempts() {
        Set<Attempt> all = new HashSet<>();
        leases.values().forEach(lease -> all.addAll(lease.attempts().keySet()));
        return all;
    }

    /** Those of these attempts that are still held. */
    synchronized List<HeldAttempt> find(Collection<Attempt> attempts) {
        List<HeldAttempt> found = new ArrayList<>();
        for (Attempt attempt : attempts) {
            HeldLease lease = leases.get(attempt.lease());
            @Nullable HeldAttempt held = lease == null ? null : lease.attempts().get(attempt);
            if (held != null) {
                found.add(held);
            }
        }
        return found;
    }

    /** The attempts of leases whose last confirmed end has passed. */
    synchronized List<HeldAttempt> lapsed(Moment now) {
        List<HeldAttempt> lapsed = new ArrayList<>();
        for (HeldLease lease : leases.values()) {
            if (!lease.holds(now)) {
                lapsed.addAll(lease.attempts().values());
            }
        }
        return lapsed;
    }

    /** How far ahead the next confirmed end lies; empty if nothing is held. */
    synchronized Optional<Duration> margin(Moment now) {
        return leases.values().stream().map(lease -> lease.end().since(now)).min(Duration::compareTo);
    }

    synchronized boolean isEmpty() {
        return leases.isEmpty();
    }
}
