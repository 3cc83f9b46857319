package dev.sweep.cli.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The CPU time of a PostgreSQL on this machine, without the session that measures. */
final class ServerCpu {

    /** A client backend names the port of its client, an autovacuum worker what it is; the others serve all. */
    private static final Pattern FOR_CLIENTS = Pattern.compile(".*(\\(\\d+\\)|\\[local\\]|autovacuum worker).*");

    private final long postmaster;
    private final long ownBackend;

    private ServerCpu(long postmaster, long ownBackend) {
        this.postmaster = postmaster;
        this.ownBackend = ownBackend;
    }

    /** Empty if the server behind the connection is on another machine, or {@code /proc} is not there. */
    static Optional<ServerCpu> behind(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid(), inet_client_port()")) {
            row.next();
            long backend = row.getLong(1);
            boolean isHere =
                    ProcessTimes.areThere() && ProcessTimes.titleOf(backend).contains("(" + row.getInt(2) + ")");
            return isHere
                    ? ProcessTimes.parentOf(backend).map(parent -> new ServerCpu(parent, backend))
                    : Optional.empty();
        }
    }

    Reading read() {
        Map<Long, Long> forClients = new HashMap<>();
        long background = 0;
        for (long pid : ProcessTimes.childrenOf(postmaster)) {
            if (pid != ownBackend) {
                long nanos = ProcessTimes.nanosOf(pid).orElse(0L);
                if (FOR_CLIENTS.matcher(ProcessTimes.titleOf(pid)).matches()) {
                    forClients.put(pid, nanos);
                } else {
                    background += nanos;
                }
            }
        }
        return new Reading(forClients, background, ProcessTimes.reapedNanosOf(postmaster));
    }

    /**
     * The server's processes at one moment; all in nanoseconds of CPU.
     *
     * @param forClients of each process that serves a client, or cleans up behind it
     * @param background of the others together
     * @param reaped of those that have ended
     */
    record Reading(Map<Long, Long> forClients, long background, long reaped) {

        /** What went into processes for clients since; those that ended meanwhile are in it. */
        long clientNanosSince(Reading before) {
            long nanos = reaped - before.reaped;
            for (Map.Entry<Long, Long> process : forClients.entrySet()) {
                nanos += process.getValue() - before.forClients.getOrDefault(process.getKey(), 0L);
            }
            for (Map.Entry<Long, Long> process : before.forClients.entrySet()) {
                nanos -= forClients.containsKey(process.getKey()) ? 0 : process.getValue();
            }
            return Math.max(0, nanos);
        }
    }
}
