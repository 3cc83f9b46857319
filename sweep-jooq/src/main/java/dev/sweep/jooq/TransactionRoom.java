package dev.sweep.jooq;

import java.sql.SQLException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How many handler transactions may hold a connection at once: those beyond the connections that the store keeps, so that
 * handlers never hold the ones that record what they did and keep their leases. Thread-safe.
 */
final class TransactionRoom {

    private static final long PATIENCE_SECONDS = 30;

    private final int limit;
    private final Semaphore free;

    TransactionRoom(int limit) {
        this.limit = limit;
        this.free = new Semaphore(limit, true);
    }

    void enter() {
        boolean isIn = false;
        try {
            isIn = free.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        if (!isIn) {
            throw SqlErrors.translated(new SQLException(
                    "all " + limit + " connections for transactional handlers are taken; raise maximumPoolSize",
                    SqlErrors.TOO_MANY_CONNECTIONS));
        }
    }

    void leave() {
        free.release();
    }
}
