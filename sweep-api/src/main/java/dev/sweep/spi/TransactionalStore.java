package dev.sweep.spi;

import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;

/** SPI: a store that can run a handler inside the transaction that completes its task. */
public interface TransactionalStore {

    /**
     * Runs {@code work} on a connection of its own at READ COMMITTED, then completes the attempt as the last statement of
     * the same transaction, and commits. What {@code work} throws comes out after a rollback. If the answer to the commit
     * is lost, the store looks before it says which.
     *
     * @return true if all of it was committed; false if the attempt no longer held its task and all was rolled back
     * @throws dev.sweep.StoreException if the work left the transaction aborted, or ended it
     * @throws dev.sweep.StoreUnavailableException if the store could not serve before the work began or after it was done;
     *     all was rolled back, and the attempt still holds its task
     * @throws dev.sweep.TransactionLostException if the connection was lost once the work had begun
     */
    boolean completeInTransaction(ClaimedTask task, TransactionWork work) throws Exception;

    /** How many connections there are for such transactions; empty if the store does not know. */
    default Optional<ConnectionBudget> connectionBudget() {
        return Optional.empty();
    }

    /** What a handler does inside the transaction. */
    @FunctionalInterface
    interface TransactionWork {

        /**
         * Does the work.
         *
         * @param connection refuses commit, rollback, close and autocommit
         * @return how long the handler ran
         */
        Duration run(Connection connection) throws Exception;
    }
}
