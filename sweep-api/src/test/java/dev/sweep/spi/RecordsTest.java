package dev.sweep.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.DedupKey;
import dev.sweep.OnDuplicate;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecordsTest {

    private static final String MARKER = "SECRET-4711";
    private static final Attempt ATTEMPT = new Attempt(3, TaskId.of(7));

    private final Map<String, String> headers = new HashMap<>(Map.of("tenant", MARKER));
    private final TaskRecord taskRecord = new TaskRecord(
            "mail", "default", 1, MARKER, null, Duration.ZERO, 3, 5, null, OnDuplicate.KEEP_EXISTING, headers);
    private final ClaimedTask claimed =
            new ClaimedTask(ATTEMPT, "mail", "default", 1, Instant.EPOCH, 2, 0, 3, MARKER, headers);
    private final Task task = new Task(
            TaskId.of(7),
            "mail",
            "default",
            1,
            TaskStatus.PENDING,
            MARKER,
            headers,
            Optional.empty(),
            0,
            3,
            0,
            Optional.of(MARKER),
            Instant.EPOCH,
            Instant.EPOCH,
            Optional.empty(),
            Optional.empty(),
            Optional.of(MARKER),
            Optional.empty());

    @Test
    void tasksCopyTheirHeaders() {
        headers.clear();

        assertThat(taskRecord.headers()).containsOnlyKeys("tenant").isUnmodifiable();
        assertThat(claimed.headers()).containsOnlyKeys("tenant").isUnmodifiable();
        assertThat(task.headers()).containsOnlyKeys("tenant").isUnmodifiable();
    }

    @Test
    void theTextOfATaskHidesPayloadHeadersAndError() {
        assertThat(taskRecord.toString()).contains("mail", "default").doesNotContain(MARKER);
        assertThat(claimed.toString()).contains("mail", "default", "7").doesNotContain(MARKER);
        assertThat(task.toString()).contains("mail", "default", "7", "pending").doesNotContain(MARKER);
    }

    @Test
    void requestsAndAnswersCopyTheirCollections() {
        Set<String> names = new HashSet<>(Set.of("a"));
        Map<String, Integer> room = new HashMap<>(Map.of("a", 1));
        Set<Long> leases = new HashSet<>(Set.of(3L));
        Set<Attempt> attempts = new HashSet<>(Set.of(ATTEMPT));
        List<Attempt> list = new ArrayList<>(List.of(ATTEMPT));
        List<ClaimedTask> tasks = new ArrayList<>(List.of(claimed));
        List<TaskId> ids = new ArrayList<>(List.of(TaskId.of(7)));
        ClaimRequest request = new ClaimRequest("w", names, room, 0, Duration.ofSeconds(30), false);
        Claim claim = new Claim(3, tasks, ids, Optional.empty());
        HeartbeatRequest beat = new HeartbeatRequest("w", Duration.ofSeconds(30), leases, attempts);
        Heartbeat heartbeat = new Heartbeat(leases, attempts);
        Reclaimed reclaimed = new Reclaimed(list, list);
        List.of(names, leases, attempts, list, tasks, ids).forEach(java.util.Collection::clear);
        room.clear();

        assertThat(request.types()).containsExactly("a").isUnmodifiable();
        assertThat(request.room()).containsExactly(Map.entry("a", 1)).isUnmodifiable();
        assertThat(claim.tasks()).containsExactly(claimed).isUnmodifiable();
        assertThat(claim.orphans()).containsExactly(TaskId.of(7)).isUnmodifiable();
        assertThat(beat.leases()).containsExactly(3L).isUnmodifiable();
        assertThat(beat.attempts()).containsExactly(ATTEMPT).isUnmodifiable();
        assertThat(heartbeat.extended()).containsExactly(3L).isUnmodifiable();
        assertThat(heartbeat.gone()).containsExactly(ATTEMPT).isUnmodifiable();
        assertThat(reclaimed.returned()).containsExactly(ATTEMPT).isUnmodifiable();
        assertThat(reclaimed.failed()).containsExactly(ATTEMPT).isUnmodifiable();
        assertThat(reclaimed.size()).isEqualTo(2);
    }

    @Test
    void aRecordHoldsWhatTheNewTaskSays() {
        Instant dueAt = Instant.parse("2026-03-01T10:00:00Z");
        TaskRecord made = TaskRecord.of(
                TaskType.of("mail", String.class)
                        .maxLosses(0)
                        .with("payload")
                        .queue("bulk")
                        .priority(9)
                        .maxRetries(1)
                        .dueAt(dueAt)
                        .dedupKey("k")
                        .onDuplicate(OnDuplicate.FAIL)
                        .header("tenant", "a"),
                "{}");

        assertThat(made)
                .isEqualTo(new TaskRecord(
                        "mail",
                        "bulk",
                        9,
                        "{}",
                        dueAt,
                        Duration.ZERO,
                        1,
                        0,
                        DedupKey.of("k"),
                        OnDuplicate.FAIL,
                        Map.of("tenant", "a")));
    }

    @Test
    void attemptsAreOrderedByTaskThenLease() {
        assertThat(new Attempt(9, TaskId.of(1)))
                .isLessThan(new Attempt(1, TaskId.of(2)))
                .isLessThan(new Attempt(10, TaskId.of(1)));
    }

    @Test
    void attemptsAreCountedFromOne() {
        assertThat(claimed.attemptNumber()).isEqualTo(3);
    }
}
