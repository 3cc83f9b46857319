package dev.sweep.testing;

import org.junit.jupiter.api.Nested;

/**
 * SPI: what every {@link dev.sweep.spi.TaskStore} must do that is a {@link dev.sweep.spi.TransactionalStore} too, as a JUnit
 * 5 suite: the {@link TaskStoreContract} with one more part. Its connections are expected to speak SQL.
 */
public abstract class TransactionalTaskStoreContract extends TaskStoreContract {

    /** For JUnit. */
    protected TransactionalTaskStoreContract() {}

    @Nested
    class Transacting extends TransactionContract {
        @Override
        TaskStoreContract contract() {
            return TransactionalTaskStoreContract.this;
        }
    }
}
