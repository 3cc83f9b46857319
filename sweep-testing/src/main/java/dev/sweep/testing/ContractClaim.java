package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.TaskId;
import dev.sweep.spi.Claim;
import dev.sweep.spi.ClaimRequest;
import dev.sweep.spi.ClaimedTask;
import dev.sweep.spi.TaskStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A claim as a test of the contract writes it; what it does not say has a default. */
final class ContractClaim {

    private final TaskStore store;
    private final Map<String, Integer> room = new HashMap<>();
    private String worker = "w1";
    private Set<String> types = Set.of(ContractPart.MAIL.name());
    private int lostRoom;
    private Duration leaseDuration = Duration.ofHours(1);
    private boolean afresh;
    private boolean evenly;

    ContractClaim(TaskStore store) {
        this.store = store;
    }

    ContractClaim worker(String name) {
        worker = name;
        return this;
    }

    ContractClaim types(String... names) {
        types = Set.of(names);
        return this;
    }

    ContractClaim room(int tasks) {
        return queue(ContractPart.QUEUE, tasks);
    }

    ContractClaim queue(String queue, int tasks) {
        room.put(queue, tasks);
        return this;
    }

    ContractClaim lostRoom(int tasks) {
        lostRoom = tasks;
        return this;
    }

    ContractClaim lease(Duration duration) {
        leaseDuration = duration;
        return this;
    }

    ContractClaim evenly() {
        evenly = true;
        return this;
    }

    ContractClaim afresh() {
        afresh = true;
        return this;
    }

    Claim take() {
        Map<String, Integer> asked = room.isEmpty() ? Map.of(ContractPart.QUEUE, 10) : room;
        return store.claim(new ClaimRequest(worker, types, asked, lostRoom, leaseDuration, afresh, evenly));
    }

    List<ClaimedTask> tasks() {
        return take().tasks();
    }

    List<TaskId> ids() {
        return tasks().stream().map(ClaimedTask::id).toList();
    }

    ClaimedTask one() {
        List<ClaimedTask> tasks = tasks();
        assertThat(tasks).as("claimed").hasSize(1);
        return tasks.get(0);
    }
}
