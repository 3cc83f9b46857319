package dev.sweep.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sweep.BulkResult;
import dev.sweep.Sweep;
import dev.sweep.TaskAdmin;
import dev.sweep.TaskSelection;
import dev.sweep.spi.AdminStore;
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
