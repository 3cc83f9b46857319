package dev.sweep.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where one entrant does one workload once: a fresh schema, filled and vacuumed, perhaps a snapshot that is held open, and
 * processes of its own. Closing it drops the schema.
 */
final class Arena implements AutoCloseable {

    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final int CHURN_BATCH = 200;
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);

    private final Entrant entrant;
    private final BenchPlan plan;
    private final Place place;
    private final Meter meter;
    private final Path folder;
    private final Pause pause;
    private Census before = Census.NONE;
    private @Nullable Connection pin;

    Arena(Entrant entrant, BenchPlan plan, Place place, Meter meter, Path folder, Pause pause) {
        this.entrant = entrant;
        this.plan = plan;
        this.place = place;
        this.meter = meter;
        this.folder = folder;
        this.pause = pause;
    }

    BenchPlan plan() {
        return plan;
    }

    Meter meter() {
        return meter;
    }

    Pause pause() {
        return pause;
    }

    int workers() {
        return entrant.workers();
    }

    String contender() {
        return entrant.contender().name();
    }

    /** Makes the schema with so many tasks waiting on top of the backlog, and sets the stage alike for all. */
    void prepare(long waiting) throws SQLException, IOException, InterruptedException {
        Load load = entrant.load();
        entrant.contender()
                .create(
                        place,
                        new Stock(
                                waiting + load.backlog(),
                                load.finished(),
                                entrant.partitions(),
                                new Payloads(plan.payloadBytes()).next()));
        vacuum();
        if (load.isPinned()) {
            pin = openSnapshot();
            churn(load.pinnedFor());
            vacuum();
        }
        checkpoint();
        before = entrant.contender().census(place);
    }

    private Connection openSnapshot() throws SQLException {
        Connection connection = place.connect();
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = connection.createStatement()) {
            statement.execute("select count(*) from pg_class");
        }
        return connection;
    }

    /** Tasks come and go: under the snapshot their rows stay, dead. */
    private void churn(Duration time) throws IOException, InterruptedException {
        if (time.isZero() || entrant.contender().lacks().contains(Ability.BATCHES)) {
            return;
        }
        Order order = Order.lives(contender(), Long.MAX_VALUE / 2, CHURN_BATCH, 1, plan.payloadBytes());
        try (Crew crew = start(1, order)) {
            crew.go();
            pause.pause(time);
            crew.stop();
        }
    }

    private void vacuum() throws SQLException {
        List<String> tables = new ArrayList<>();
        try (Connection connection = place.connect();
                Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery("""
                    select format('%%I.%%I', n.nspname, c.relname) from pg_class c
                    join pg_namespace n on n.oid = c.relnamespace
                    where n.nspname = '%s' and c.relkind in ('r', 'p') and not c.relispartition
                    """.formatted(place.schema()))) {
                while (rows.next()) {
                    tables.add(rows.getString(1));
                }
            }
            for (String table : tables) {
                statement.execute("vacuum (analyze) " + table);
            }
        }
    }

    /** So that what was written before does not disturb; who may not, measures without. */
    private void checkpoint() throws SQLException {
        try {
            place.execute("checkpoint");
        } catch (SQLException refused) {
            if (!INSUFFICIENT_PRIVILEGE.equals(refused.getSQLState())) {
                throw refused;
            }
        }
    }

    /** Processes of this entrant, connected. */
    Crew start(int size, Order order) throws IOException, InterruptedException {
        return Crew.start(size, order, place, folder, pause);
    }

    Crew startWorkers(boolean isTimed) throws IOException, InterruptedException {
        return start(workers(), Order.worker(contender(), plan.concurrency(), isTimed));
    }

    /** How many tasks waited when the run began. */
    long openBefore() {
        return before.open();
    }

    /** Changes a setting of the whole server, which must be the bench's own, and waits until it holds. */
    void setting(String name, String value) throws SQLException, InterruptedException {
        place.execute("alter system set " + name + " = " + value, "select pg_reload_conf()");
        while (!value.equals(shown(name))) {
            pause.pause(LOOK_EVERY);
        }
    }

    private String shown(String name) throws SQLException {
        try (Connection connection = place.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show " + name)) {
            row.next();
            return row.getString(1);
        }
    }

    /** A bench that loses tasks, or does them twice, measures nothing: the counts must be exact. */
    void check(long enqueued, long ended) throws SQLException {
        Optional<String> fault = entrant.contender().census(place).faultSince(before, enqueued, ended);
        if (fault.isPresent()) {
            throw new BenchException(entrant.label() + ": " + fault.get());
        }
    }

    @Override
    public void close() throws SQLException {
        try (Connection ended = pin) {
            if (ended != null) {
                ended.rollback();
            }
        }
        place.execute("drop schema if exists \"" + place.schema() + "\" cascade");
    }
}
