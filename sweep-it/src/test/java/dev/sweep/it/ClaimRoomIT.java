package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.event.TaskEvent.TasksClaimed;
import dev.sweep.worker.Worker;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Case B13: a claim brings no more than it asked for, however the server joins and sorts. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class ClaimRoomIT {

    @RegisterExtension
    static final Database db = Database.named(
            "claim_room",
            "-c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off -c enable_hashagg=off"
                    + " -c enable_sort=off");

    @Test
    void noClaimBringsMoreThanABatch() {
        db.sweep.enqueueAll(IntStream.range(0, 200)
                .mapToObj(i -> Errands.QUICK.with(Errands.NOTHING).priority(1 + i % 10))
                .toList());
        try (Worker worker = Database.started(
                db.worker("w").queue("default", 2).batch(10, 10).handle(Errands.QUICK, (nothing, context) -> {}))) {
            db.awaitCount(200, "sweep.task_outcome where status = 'succeeded'");
        }
        assertThat(db.events.of(TasksClaimed.class))
                .allSatisfy(event -> assertThat(event.count()).isBetween(1, 10));
        assertThat(db.events.of(TasksClaimed.class).stream().mapToInt(TasksClaimed::count))
                .as("tasks claimed, each once")
                .satisfies(counts -> assertThat(
                                counts.stream().mapToInt(Integer::intValue).sum())
                        .isEqualTo(200));
    }
}
