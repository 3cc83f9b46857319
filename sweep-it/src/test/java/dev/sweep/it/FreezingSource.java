package dev.sweep.it;

import java.sql.Connection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/**
 * Connections that all freeze when one of them is about to commit what a certain statement did, like those of a process
 * that is stopped at this very moment. Made for one store; thawed at the latest when it is closed.
 */
final class FreezingSource implements AutoCloseable {

    private final DataSource source;
    private final String statement;
    private final CountDownLatch frozen = new CountDownLatch(1);
    private final CountDownLatch thawed = new CountDownLatch(1);

    /** @param statement a part of the statement before whose commit all freezes */
    FreezingSource(DataSource source, String statement) {
        this.source = source;
        this.statement = statement;
    }

    DataSource source() {
        return JdbcProxy.source(source, this::freezing);
    }

    void awaitFrozen() throws InterruptedException {
        Awaiting.opened(frozen);
    }

    void thaw() {
        thawed.countDown();
    }

    @Override
    public void close() {
        thaw();
    }

    private Connection freezing(Connection open) {
        AtomicBoolean hasRun = new AtomicBoolean();
        return JdbcProxy.connection(open, (connection, method, arguments) -> {
            if (method.getName().equals("prepareStatement")
                    && String.valueOf(arguments[0]).contains(statement)) {
                hasRun.set(true);
            }
            if (hasRun.get() && method.getName().equals("commit")) {
                frozen.countDown();
            }
            if (frozen.getCount() == 0) {
                Awaiting.opened(thawed);
            }
            return JdbcProxy.call(connection, method, arguments);
        });
    }
}
