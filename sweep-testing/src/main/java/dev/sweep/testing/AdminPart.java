package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sweep.BulkResult;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.StatusCount;
import dev.sweep.Sweep;
import dev.sweep.TaskAdmin;
import dev.sweep.TaskChange;
import dev.sweep.TaskId;
import dev.sweep.TaskSelection;
import dev.sweep.TaskStatus;
import dev.sweep.spi.AdminStore;
import dev.sweep.spi.ClaimedTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;

/** A part of the contract about what people do by hand, through the API, which repeats what was busy. */
abstract class AdminPart extends ContractPart {

    @BeforeEach
    final void skipStoresWithoutAdministration() {
        assumeTrue(store() instanceof AdminStore, "the store is no AdminStore");
    }

    /** On the store of the contract, which closes it. */
    @SuppressWarnings("resource")
    final TaskAdmin admin() {
        return Sweep.create(store()).admin();
    }

    final TaskId failed(NewTask<Json> task) {
        ClaimedTask running = running(task);
        failForGood(running, "broken");
        return running.id();
    }

    final TaskId requeued(TaskId old) {
        TaskChange answer = admin().requeue(old);
        assertThat(answer.kind()).isEqualTo(TaskChange.Kind.CHANGED);
        return answer.requeuedAs().orElseThrow();
    }

    final long count(TaskStatus status) {
        return store().counts().stream()
                .filter(count -> count.status() == status)
                .mapToLong(StatusCount::count)
                .sum();
    }

    /** A change of a selection. */
    @FunctionalInterface
    interface Bulk {

        BulkResult run(TaskSelection selection, Consumer<BulkResult> progress) throws InterruptedException;
    }

    static BulkResult run(Bulk bulk, TaskSelection selection) {
        try {
            return bulk.run(selection, soFar -> {});
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
