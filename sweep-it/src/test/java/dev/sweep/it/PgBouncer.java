package dev.sweep.it;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Debian's PgBouncer in transaction mode before an {@link OwnServer}; it lets everybody in. */
final class PgBouncer implements AutoCloseable {

    private static final List<Path> PLACES = Stream.of(
                    "/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
            .map(Path::of)
            .toList();

    private final Process process;
    private final Path folder;
    private final int port;

    private PgBouncer(Process process, Path folder, int port) {
        this.process = process;
        this.folder = folder;
        this.port = port;
    }

    static Optional<Path> installed() {
        return PLACES.stream().filter(Files::isExecutable).findFirst();
    }

    /** @param serverSessions how many connections it has to the server, for any number of clients */
    static PgBouncer before(OwnServer server, int serverSessions) throws IOException, InterruptedException {
        PGSimpleDataSource direct = (PGSimpleDataSource) server.server().dataSource();
        Path folder = Files.createTempDirectory("sweep-pgbouncer");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        int port = freePort();
        Path users =
                Files.writeString(folder.resolve("users.txt"), "\"" + OwnServer.APP + "\" \"\"\n\"postgres\" \"\"\n");
        Path settings = Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                postgres = host=127.0.0.1 port=%d dbname=postgres
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s
                pool_mode = transaction
                default_pool_size = %d
                max_client_conn = 200
                ignore_startup_parameters = extra_float_digits
                """.formatted(
                        direct.getPortNumbers()[0], port, users, serverSessions));
        List<String> command = new ArrayList<>(List.of(installed().orElseThrow().toString()));
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("-u", "nobody"));
        }
        command.add(settings.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        awaitReady(process);
        return new PgBouncer(process, folder, port);
    }

    /** Its log goes on to be read, so that it never waits for room to write. */
    private static void awaitReady(Process process) throws InterruptedException {
        CountDownLatch isReady = new CountDownLatch(1);
        List<String> said = new ArrayList<>();
        Thread reader = new Thread(() -> {
            try (BufferedReader log = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = log.readLine(); line != null; line = log.readLine()) {
                    synchronized (said) {
                        said.add(line);
                    }
                    if (line.contains("process up")) {
                        isReady.countDown();
                    }
                }
            } catch (IOException ended) {
                // Nothing more is said.
            }
        });
        reader.setDaemon(true);
        reader.start();
        Awaiting.until("PgBouncer is up", () -> String.join("\n", said), () -> isReady.getCount() == 0);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Opens a new connection through it each time. */
    DataSource dataSource() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(jdbcUrl());
        source.setUser(OwnServer.APP);
        return source;
    }

    String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().join();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
