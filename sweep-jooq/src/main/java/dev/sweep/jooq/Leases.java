package dev.sweep.jooq;

import dev.sweep.TaskId;
import dev.sweep.spi.Attempt;
import dev.sweep.spi.Heartbeat;
import dev.sweep.spi.HeartbeatRequest;
import dev.sweep.spi.Reclaimed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Keeps leases alive on a session of its own, and takes back what ran under those that lapsed. */
final class Leases {

    private static final int LEASES_PER_RECLAIM = 100;

    private final HotSession beats;
    private final HotSession reclaims;
    private final TaskStatements statements;

    Leases(HotSession beats, HotSession reclaims, TaskStatements statements) {
        this.beats = beats;
        this.reclaims = reclaims;
        this.statements = statements;
    }

    Heartbeat heartbeat(HeartbeatRequest request) {
        List<Attempt> asked = List.copyOf(request.attempts());
        return beats.run(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.heartbeat())) {
                SqlArrays.into(statement)
                        .scalar(SqlArrays.micros(request.leaseDuration()))
                        .longs(request.leases())
                        .scalar(request.worker())
                        .attempts(asked, Function.identity());
                return heartbeatOf(statement);
            }
        });
    }

    private static Heartbeat heartbeatOf(PreparedStatement statement) throws SQLException {
        Set<Long> extended = new HashSet<>();
        Set<Attempt> gone = new HashSet<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                long lease = rows.getLong(1);
                long id = rows.getLong(2);
                if (rows.wasNull()) {
                    extended.add(lease);
                } else {
                    gone.add(new Attempt(lease, TaskId.of(id)));
                }
            }
        }
        return new Heartbeat(extended, gone);
    }

    Reclaimed reclaim(Duration leaseDuration, int limit) {
        return reclaims.run(this::hasLost) ? reclaimLost(leaseDuration, limit) : new Reclaimed(List.of(), List.of());
    }

    /** An idle worker pays one statement instead of a transaction. */
    private boolean hasLost(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.hasLost());
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private Reclaimed reclaimLost(Duration leaseDuration, int limit) {
        return reclaims.transaction(connection -> {
            shorten(connection, leaseDuration);
            List<Long> leases = new ArrayList<>(lapsed(connection, leaseDuration));
            leases.addAll(missing(connection));
            if (leases.isEmpty()) {
                return new Reclaimed(List.of(), List.of());
            }
            Reclaimed reclaimed = takeBack(connection, leases, limit);
            try (PreparedStatement statement = connection.prepareStatement(statements.dropEmptyLeases())) {
                SqlArrays.into(statement).longs(leases);
                statement.executeUpdate();
            }
            return reclaimed;
        });
    }

    private void shorten(Connection connection, Duration least) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.shortenLeases())) {
            statement.setLong(1, SqlArrays.micros(least));
            statement.setInt(2, LEASES_PER_RECLAIM);
            statement.executeUpdate();
        }
    }

    private List<Long> lapsed(Connection connection, Duration grace) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.lockLapsedLeases())) {
            statement.setLong(1, SqlArrays.micros(grace));
            statement.setInt(2, LEASES_PER_RECLAIM);
            return leasesOf(statement);
        }
    }

    private List<Long> missing(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.missingLeases())) {
            statement.setInt(1, LEASES_PER_RECLAIM);
            return leasesOf(statement);
        }
    }

    private static List<Long> leasesOf(PreparedStatement statement) throws SQLException {
        List<Long> leases = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                leases.add(rows.getLong(1));
            }
        }
        return leases;
    }

    private Reclaimed takeBack(Connection connection, List<Long> leases, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(statements.reclaim())) {
            SqlArrays.into(statement).longs(leases).scalar(limit);
            return reclaimed(statement);
        }
    }

    /** Single attempts, whatever their lease. */
    Reclaimed lose(Collection<Attempt> attempts) {
        List<Attempt> asked = List.copyOf(attempts);
        return reclaims.run(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(statements.lose())) {
                SqlArrays.into(statement).attempts(asked, Function.identity());
                return reclaimed(statement);
            }
        });
    }

    private static Reclaimed reclaimed(PreparedStatement statement) throws SQLException {
        List<Attempt> returned = new ArrayList<>();
        List<Attempt> failed = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                Attempt attempt = new Attempt(rows.getLong(1), TaskId.of(rows.getLong(2)));
                (rows.getBoolean(3) ? failed : returned).add(attempt);
            }
        }
        return new Reclaimed(returned, failed);
    }
}
