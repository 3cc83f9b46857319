package dev.sweep.cli.bench;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where a bench ran: without this its numbers say nothing.
 *
 * @param facts about the server, as it says itself, and about this machine
 * @param isDurable whether a commit is on disk when it returns
 */
record Surroundings(Map<String, String> facts, boolean isDurable) {

    private static final List<String> SETTINGS = List.of(
            "fsync",
            "synchronous_commit",
            "full_page_writes",
            "wal_level",
            "wal_compression",
            "data_checksums",
            "shared_buffers",
            "max_wal_size",
            "checkpoint_timeout",
            "autovacuum");

    static Surroundings of(Connection connection) throws SQLException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("at", Instant.now().toString());
        facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("java", Runtime.version().toString());
        facts.put("os", System.getProperty("os.name") + " " + System.getProperty("os.arch"));
        facts.put("server_version", setting(connection, "server_version"));
        for (String name : SETTINGS) {
            facts.put(name, setting(connection, name));
        }
        boolean isDurable = "on".equals(facts.get("fsync")) && !"off".equals(facts.get("synchronous_commit"));
        return new Surroundings(facts, isDurable);
    }

    private static String setting(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("show " + name)) {
            row.next();
            return row.getString(1);
        }
    }
}
