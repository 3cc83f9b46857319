package dev.sweep.it;

import dev.sweep.testing.PostgresServer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/** An embedded PostgreSQL that a test may stop and start, with a role that is no superuser. */
final class OwnServer implements AutoCloseable {

    /** Logs in without a password, and may create schemas. */
    static final String APP = "app";

    private final PostgresServer server;
    private final Path data;
    private final Path binaries;
    /** As the server noted them, quoted for a shell. */
    private final String options;

    private OwnServer(PostgresServer server) throws IOException {
        this.server = server;
        this.data = Path.of(asked("show data_directory"));
        String command = Files.readString(data.resolve("postmaster.opts")).strip();
        int end = command.indexOf(" \"");
        this.binaries = Path.of(command.substring(0, end)).getParent();
        this.options = command.substring(end + 1);
    }

    static OwnServer start() {
        try {
            // A crash of the server, unlike one of its machine, then loses nothing that was committed.
            OwnServer own = new OwnServer(PostgresServer.embedded()
                    .setting("synchronous_commit", "on")
                    .start());
            own.execute("create role " + APP + " login", "grant create on database postgres to " + APP);
            return own;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    PostgresServer server() {
        return server;
    }

    /** As a superuser, also while the database may only be read. */
    void execute(String... statements) {
        PGSimpleDataSource writable = (PGSimpleDataSource) server.dataSource();
        writable.setOptions("-c default_transaction_read_only=off");
        try (Connection connection = writable.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Ends all sessions of the role, in whatever they do. */
    void terminateSessions() {
        execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = '" + APP + "'");
    }

    /** As in a crash: nobody is asked, nothing is written down. */
    void stopAtOnce() {
        control("-m", "immediate", "-w", "stop");
    }

    /** Returns when it takes connections. */
    void startAgain() {
        control("-o", options, "-l", data.resolve("log").toString(), "-w", "start");
    }

    @Override
    public void close() {
        server.close();
    }

    private void control(String... arguments) {
        List<String> command = new ArrayList<>();
        if ("root".equals(System.getProperty("user.name"))) {
            // PostgreSQL refuses root; in a namespace of its own it does not see it.
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(List.of(binaries.resolve("pg_ctl").toString(), "-D", data.toString()));
        command.addAll(List.of(arguments));
        File output = data.resolve("pg_ctl.log").toFile();
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output)
                    .start();
            if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError(command + ": " + Files.readString(output.toPath()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private String asked(String sql) {
        try (Connection connection = server.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
