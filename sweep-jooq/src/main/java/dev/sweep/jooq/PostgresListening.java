package dev.sweep.jooq;

import dev.sweep.StoreException;
import dev.sweep.spi.Listening;
import dev.sweep.spi.WakeUp;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * A connection that listens to one channel. The network may drop a silent one without a word, so after 10 s without a sign
 * of life a query asks for one, and waits 5 s for it. The connection is never given back alive: its session listens.
 */
final class PostgresListening implements Listening {

    private static final Duration PROOF_INTERVAL = Duration.ofSeconds(10);

    private final Connection connection;
    private final PGConnection driver;
    private final WakeUpSender sender;
    private final ReentrantLock turn = new ReentrantLock();
    private final Set<WakeUp> heard = new LinkedHashSet<>();
    private volatile boolean isClosed;
    private long provenAtNanos;

    private PostgresListening(Connection connection, PGConnection driver, WakeUpSender sender) {
        this.connection = connection;
        this.driver = driver;
        this.sender = sender;
    }

    /**
     * Listens from its return on.
     *
     * @param source where its connection comes from
     * @param sender for the self-test
     */
    static PostgresListening open(DataSource source, WakeUpChannel channel, WakeUpSender sender) throws SQLException {
        Connection connection = source.getConnection();
        try {
            PostgresListening listening = new PostgresListening(connection, driverOf(connection), sender);
            connection.setAutoCommit(true);
            connection.setNetworkTimeout(Runnable::run, WakeUpSender.PATIENCE_MILLIS);
            if (!PoolerCheck.isBehindPooler(connection)) {
                // It is silent by nature; a session of a pooler's is somebody else's next.
                listening.ask("set idle_session_timeout = 0");
            }
            listening.ask("listen " + channel.quoted());
            return listening;
        } catch (SQLException | RuntimeException | Error e) {
            Discarded.connection(connection);
            throw e;
        }
    }

    @Override
    public Set<WakeUp> await(Duration atMost) {
        return inTurn(Set.of(), () -> {
            if (heard.isEmpty()) {
                proveIfDue();
                collect(atMost, "");
            }
            Set<WakeUp> told = Set.copyOf(heard);
            heard.clear();
            return told;
        });
    }

    @Override
    public Optional<String> selfTest(Duration atMost) {
        return inTurn(Optional.empty(), () -> {
            String token = WakeUpText.ofTest(UUID.randomUUID().toString());
            sender.send(List.of(token));
            long end = System.nanoTime() + atMost.toNanos();
            Duration left = atMost;
            boolean isHeard = false;
            while (!isHeard && left.toMillis() > 0) {
                isHeard = collect(left, token);
                left = Duration.ofNanos(end - System.nanoTime());
            }
            return isHeard ? Optional.empty() : Optional.of(deafness(atMost));
        });
    }

    /** A wait under way ends at once, and its thread cleans up. */
    @Override
    public void close() {
        isClosed = true;
        if (turn.tryLock()) {
            try {
                Discarded.connection(connection);
            } finally {
                turn.unlock();
            }
        } else {
            abort(connection);
        }
    }

    private <T> T inTurn(T ifClosed, Listen<T> work) {
        turn.lock();
        try {
            return isClosed ? ifClosed : work.run();
        } catch (SQLException e) {
            if (isClosed) {
                return ifClosed;
            }
            throw SqlErrors.translated(e);
        } finally {
            turn.unlock();
            if (isClosed) {
                close();
            }
        }
    }

    private void proveIfDue() throws SQLException {
        if (System.nanoTime() - provenAtNanos >= PROOF_INTERVAL.toNanos()) {
            ask("select 1");
        }
    }

    private void ask(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        provenAtNanos = System.nanoTime();
    }

    /** Keeps the wake-ups that come within the time; true if the token was among what came. */
    private boolean collect(Duration atMost, String token) throws SQLException {
        boolean isTokenHeard = false;
        for (PGNotification notification : driver.getNotifications(Math.max(1, (int) atMost.toMillis()))) {
            String text = notification.getParameter();
            isTokenHeard |= text.equals(token);
            WakeUpText.read(text).ifPresent(heard::add);
            provenAtNanos = System.nanoTime();
        }
        return isTokenHeard;
    }

    private String deafness(Duration waited) throws SQLException {
        String pooler = PoolerCheck.isBehindPooler(connection)
                ? "there is a pooler in between, most likely in transaction mode"
                : "most likely a pooler in transaction mode is in between";
        return "notifications do not arrive: what was announced was not heard within " + waited.toSeconds() + " s; "
                + pooler + "; tasks are found by polling; give the store a listenerSource of direct connections, or"
                + " switch notifications off";
    }

    private static PGConnection driverOf(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            throw new StoreException(
                    "a connection that listens has to be one of PostgreSQL's own driver, but "
                            + connection.getClass().getName() + " hides it; tasks are found by polling; give the store"
                            + " a listenerSource of such connections, or switch notifications off",
                    null);
        }
        return connection.unwrap(PGConnection.class);
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException gone) {
            // Nothing is left to end.
        }
    }

    @FunctionalInterface
    private interface Listen<T> {
        T run() throws SQLException;
    }
}
