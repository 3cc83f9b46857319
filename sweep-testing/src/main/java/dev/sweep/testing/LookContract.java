package dev.sweep.testing;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Json;
import dev.sweep.StatusCount;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.Completion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Find, list and count. */
abstract class LookContract extends ContractPart {

    @Test
    void readyStoreVerifies() {
        store().verify();

        assertThat(store().list(TaskQuery.newest())).isEmpty();
    }

    @Test
    void unknownTaskIsNotFound() {
        TaskId id = enqueued(mail());

        assertThat(store().find(TaskId.of(1))).isEmpty();
        assertThat(store().find(TaskId.of(id.value() + 1_000_000))).isEmpty();
        assertThat(store().find(TaskId.of(Long.MAX_VALUE))).isEmpty();
    }

    @Test
    void listShowsWhatFindShowsNewestFirst() {
        List<TaskId> ids = new ArrayList<>(oneOfEachStatus().values());
        Collections.sort(ids, Collections.reverseOrder());

        List<Task> listed = store().list(TaskQuery.newest());

        assertThat(listed).extracting(Task::id).containsExactlyElementsOf(ids);
        assertThat(listed).allSatisfy(task -> assertThat(task).isEqualTo(find(task.id())));
    }

    @Test
    void listFiltersByStatus() {
        Map<TaskStatus, TaskId> ids = oneOfEachStatus();

        for (TaskStatus status : TaskStatus.values()) {
            assertThat(ids(TaskQuery.newest().status(status))).containsExactly(ids.get(status));
        }
    }

    @Test
    void listFiltersByTypeAndQueueTogether() {
        TaskId mail = enqueued(mail());
        TaskId mailElsewhere = enqueued(mail().queue("other"));
        TaskId bill = enqueued(BILL.with(Json.of("{}")).queue("other"));

        assertThat(ids(TaskQuery.newest().type("mail"))).containsExactlyInAnyOrder(mail, mailElsewhere);
        assertThat(ids(TaskQuery.newest().queue("other"))).containsExactlyInAnyOrder(mailElsewhere, bill);
        assertThat(ids(TaskQuery.newest().type("mail").queue("other").status(TaskStatus.PENDING)))
                .containsExactly(mailElsewhere);
        assertThat(ids(TaskQuery.newest().type("mail").status(TaskStatus.FAILED)))
                .isEmpty();
        assertThat(ids(TaskQuery.newest().type("none"))).isEmpty();
        assertThat(ids(TaskQuery.newest().queue("none"))).isEmpty();
    }

    @Test
    void pagesFollowEachOtherWithoutGapOrOverlap() {
        List<TaskId> expected = new ArrayList<>(enqueued(25, mail()));
        Collections.reverse(expected);

        List<TaskId> paged = new ArrayList<>();
        List<TaskId> page = ids(TaskQuery.newest().limit(10));
        while (!page.isEmpty()) {
            assertThat(page).hasSizeLessThanOrEqualTo(10);
            paged.addAll(page);
            assertThat(paged).doesNotHaveDuplicates();
            page = ids(TaskQuery.newest().limit(10).before(page.get(page.size() - 1)));
        }

        assertThat(paged).containsExactlyElementsOf(expected);
    }

    @Test
    void pagesOfAFilterSkipWhatDoesNotMatch() {
        List<TaskId> ids = enqueued(6, mail());
        store().cancel(ids.get(3));

        assertThat(ids(TaskQuery.newest()
                        .status(TaskStatus.PENDING)
                        .before(ids.get(4))
                        .limit(2)))
                .containsExactly(ids.get(2), ids.get(1));
    }

    @Test
    void countsHaveOneRowPerStatus() {
        assertThat(store().counts()).extracting(StatusCount::status).containsExactlyInAnyOrder(TaskStatus.values());
        assertThat(store().counts()).filteredOn(StatusCount::exact).allMatch(count -> count.count() == 0);
    }

    @Test
    void countsFollowEveryMove() {
        oneOfEachStatus();
        store().cancel(enqueued(mail()));
        complete(running(mail()));
        complete(running(mail()));

        Map<TaskStatus, Long> counts =
                store().counts().stream().collect(toMap(StatusCount::status, StatusCount::count));

        assertThat(counts)
                .containsEntry(TaskStatus.SUCCEEDED, 3L)
                .containsEntry(TaskStatus.FAILED, 1L)
                .containsEntry(TaskStatus.CANCELLED, 2L);
        assertThat(store().counts())
                .filteredOn(count -> !count.status().isFinal() && count.exact())
                .allMatch(count -> count.count() == 1);
    }

    @Test
    void averageDurationIsThatOfTheMeasuredRunTimes() {
        ClaimedTask quick = running(mail());
        ClaimedTask slow = running(mail());
        store().complete(List.of(
                new Completion(quick.attempt(), Duration.ofMillis(100)),
                new Completion(slow.attempt(), Duration.ofMillis(300))));

        StatusCount succeeded = store().counts().stream()
                .filter(count -> count.status() == TaskStatus.SUCCEEDED)
                .findFirst()
                .orElseThrow();

        assertThat(succeeded.averageDuration()).contains(Duration.ofMillis(200));
    }

    private List<TaskId> ids(TaskQuery query) {
        return store().list(query).stream().map(Task::id).toList();
    }

    private Map<TaskStatus, TaskId> oneOfEachStatus() {
        ClaimedTask succeeded = running(mail().dedupKey("k").header("a", "b"));
        complete(succeeded);
        ClaimedTask failed = running(mail());
        failForGood(failed, "broken");
        ClaimedTask cancelled = running(mail());
        store().cancel(cancelled.id());
        ClaimedTask processing = running(mail());
        TaskId pending = enqueued(mail().delay(Duration.ofHours(1)));
        return Map.of(
                TaskStatus.SUCCEEDED, succeeded.id(),
                TaskStatus.FAILED, failed.id(),
                TaskStatus.CANCELLED, cancelled.id(),
                TaskStatus.PROCESSING, processing.id(),
                TaskStatus.PENDING, pending);
    }
}
