package dev.sweep.testing;

import dev.sweep.spi.TaskStore;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/**
 * SPI: what every {@link TaskStore} must do, as a JUnit 5 suite. Extend it in a test class and say how to make a store:
 *
 * <pre>{@code
 * class MyTaskStoreTest extends TaskStoreContract {
 *     @Override
 *     protected TaskStore newStore() {
 *         return new MyTaskStore();
 *     }
 * }
 * }</pre>
 *
 * <p>Add {@code org.junit.jupiter:junit-jupiter} and {@code org.assertj:assertj-core} to use it. Stores whose time can't be
 * moved are waited for: leases and delays in the suite are milliseconds, and what must happen is polled with a deadline.
 */
public abstract class TaskStoreContract {

    private TaskStore store;

    /** For JUnit. */
    protected TaskStoreContract() {}

    /** A store that holds no task; called before each test, which closes it at its end. */
    protected abstract TaskStore newStore();

    /** Moves the store's time forward; the default does nothing, and the suite then waits until real time has passed. */
    protected void passTime(Duration duration) {}

    /**
     * Called after each test, before the store is closed: throws if the store holds what must not be, such as a task that
     * both waits and runs. The default does nothing.
     */
    protected void checkInvariants() {}

    @BeforeEach
    final void openStore() {
        store = newStore();
    }

    @AfterEach
    final void checkAndCloseStore() {
        try {
            checkInvariants();
        } finally {
            store.close();
        }
    }

    final TaskStore store() {
        return store;
    }

    @Nested
    class Enqueueing extends EnqueueContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    @Nested
    class Deduplicating extends DedupContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    @Nested
    class Claiming extends ClaimContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    @Nested
    class Completing extends CompleteContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    @Nested
    class Failing extends FailContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    @Nested
    class GivingBack extends GiveBackContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    @Nested
    class Heartbeating extends HeartbeatContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    @Nested
    class Reclaiming extends ReclaimContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    @Nested
    class Cancelling extends CancelContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    /** Skipped by stores that are no {@link dev.sweep.spi.AdminStore}. */
    @Nested
    class Administering extends AdminContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    /** Skipped by stores that are no {@link dev.sweep.spi.AdminStore}. */
    @Nested
    class Requeueing extends RequeueContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    /** Skipped by stores that are no {@link dev.sweep.spi.AdminStore}. */
    @Nested
    class Deleting extends DeleteContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    /** Skipped by stores that are no {@link dev.sweep.spi.PresenceStore}. */
    @Nested
    class ShowingWorkers extends PresenceContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    @Nested
    class WakingUp extends WakeUpContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    @Nested
    class Looking extends LookContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }

    @Nested
    class Racing extends RaceContract {
        @Override
        TaskStoreContract contract() {
            return TaskStoreContract.this;
        }
    }
}
