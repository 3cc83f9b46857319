package dev.sweep.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Says who changed something and when, for whoever keeps what goes to stderr. */
final class AuditLine {

    private AuditLine() {}

    /** Asks the database for the user that it knows. */
    static String of(OpenSweep opened, String what) {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + System.getProperty("user.name", "unknown") + "@"
                + host() + ", database user " + databaseUser(opened) + ": " + what;
    }

    private static String databaseUser(OpenSweep opened) {
        try (Connection connection = opened.connections().getConnection()) {
            return connection.getMetaData().getUserName();
        } catch (SQLException gone) {
            return "unknown";
        }
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "unknown";
        }
    }
}
