package dev.sweep.spi;

import java.sql.Connection;
import java.util.List;
import java.util.Optional;

/**
 * SPI: a store that can run handlers inside the transaction that completes their tasks. Every implementation passes
 * {@code TransactionalTaskStoreContract} of {@code sweep-testing}.
 */
public interface TransactionalStore {

    /**
     * Runs {@code work} on a connection at READ COMMITTED, then completes what it returns as the last statement of the same
     * transaction, and commits: all of it or nothing. What {@code work} throws comes out after a rollback. If the answer to
     * the commit is lost, the store looks, for at most as long as the leases hold, before it says what became of it.
     * Blocks until then. Whatever the work left in the session does not reach the next user of the connection.
     *
     * @param tasks whose attempts the work is about; one or many
     * @throws dev.sweep.SweepException if nothing was committed: among others, because the work left the transaction
     *     aborted or ended it, or because the database refused the commit
     * @throws dev.sweep.StoreUnavailableException if the store could not serve before the work began or after it was done
     * @throws dev.sweep.TransactionLostException if the connection was lost once the work had begun
     */
    TransactionEnd completeInTransaction(List<ClaimedTask> tasks, TransactionWork work) throws Exception;

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
         * @param connection refuses commit, rollback, close, and to be changed for longer than the transaction
         * @return what to complete, all of it attempts of the given tasks; empty: nothing, the work is rolled back. What
         *     becomes of the other tasks is recorded afterwards, and apart.
         */
        List<Completion> run(Connection connection) throws Exception;
    }
}
