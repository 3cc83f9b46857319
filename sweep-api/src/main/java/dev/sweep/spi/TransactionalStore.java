package dev.sweep.spi;

import java.sql.Connection;
import java.time.Duration;

/** SPI: a store that can run a handler inside the transaction that completes its task. */
public interface TransactionalStore {

    /**
     * Runs {@code work} on a connection of its own at READ COMMITTED, then completes the attempt as the last statement of
     * the same transaction, and commits. What {@code work} throws comes out after a rollback. If the answer to the commit
     * is lost, the store looks before it says which.
     *
     * @return true if all of it was committed; false if the attempt no longer held its task and all was rolled back
     * @throws dev.sweep.StoreException if the work left the transaction aborted, or ended it
     */
    boolean completeInTransaction(ClaimedTask task, TransactionWork work) throws Exception;

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
