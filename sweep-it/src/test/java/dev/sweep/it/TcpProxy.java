package dev.sweep.it;

import dev.sweep.testing.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The network between a program and PostgreSQL, which a test can break: passes bytes until told otherwise. A connection
 * that was broken stays so; {@link #pass()} is for those that come after it. Thread-safe.
 */
final class TcpProxy implements AutoCloseable {

    /** What happens at the moment when a client sends certain text. */
    enum Fault {
        /** The server never gets it; the client sees its connection reset. */
        CUT_BEFORE,
        /** The server gets it and answers; the client sees a reset instead of the answer. */
        CUT_AFTER,
        /** The server never gets it; the client waits for ever. */
        SWALLOW_BEFORE,
        /** The server gets it and answers; the client waits for ever. */
        SWALLOW_AFTER
    }

    private enum Mode {
        PASS,
        SWALLOW,
        REFUSE
    }

    private record Trap(String text, Fault fault, CountDownLatch sprung) {}

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int CONNECT_MILLIS = 10_000;

    private final PGSimpleDataSource source = new PGSimpleDataSource();
    private final InetSocketAddress server;
    private final ServerSocket door;
    private final List<Link> links = new CopyOnWriteArrayList<>();
    private final AtomicInteger accepted = new AtomicInteger();
    private final AtomicReference<@Nullable Trap> trap = new AtomicReference<>();
    private volatile Mode mode = Mode.PASS;

    private TcpProxy(PostgresServer server) throws IOException {
        source.setUrl(server.jdbcUrl());
        source.setUser(server.user());
        source.setPassword(server.password());
        this.server = new InetSocketAddress(source.getServerNames()[0], source.getPortNumbers()[0]);
        this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        source.setServerNames(new String[] {door.getInetAddress().getHostAddress()});
        source.setPortNumbers(new int[] {door.getLocalPort()});
        source.setSslMode("disable");
        inBackground("accept", this::accept);
    }

    static TcpProxy before(PostgresServer server) throws IOException {
        return new TcpProxy(server);
    }

    /** Opens a new connection through the proxy each time; no pool. */
    DataSource dataSource() {
        return source;
    }

    /** The address of {@link #dataSource()}, without a user. */
    String jdbcUrl() {
        return source.getUrl();
    }

    /** How many connections have come so far. */
    int accepted() {
        return accepted.get();
    }

    /** New connections pass bytes again. */
    void pass() {
        mode = Mode.PASS;
    }

    /** From now on no byte, no end and no reset comes through, either way, also on connections that come later. */
    void swallow() {
        mode = Mode.SWALLOW;
        links.forEach(Link::swallow);
    }

    /** Resets all connections; later ones pass. */
    void cut() {
        links.forEach(Link::cut);
    }

    /** Resets all connections, and those that come later. */
    void refuse() {
        mode = Mode.REFUSE;
        cut();
    }

    /**
     * Breaks the next connection whose client sends this text, and only that one; later ones pass.
     *
     * @param text a part of a message, such as {@code COMMIT}
     * @return opens when it has happened
     */
    CountDownLatch breakAt(String text, Fault fault) {
        CountDownLatch sprung = new CountDownLatch(1);
        trap.set(new Trap(text, fault, sprung));
        return sprung;
    }

    @Override
    public void close() {
        mode = Mode.REFUSE;
        closeQuietly(door);
        cut();
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                accepted.incrementAndGet();
                open(client);
            } catch (IOException gone) {
                // The proxy is closed, or the server can't be reached, as the client has seen.
            }
        }
    }

    private void open(Socket client) throws IOException {
        if (mode == Mode.REFUSE) {
            reset(client);
            return;
        }
        Socket upstream = new Socket();
        try {
            upstream.connect(server, CONNECT_MILLIS);
            upstream.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
        } catch (IOException e) {
            reset(client);
            closeQuietly(upstream);
            throw e;
        }
        Link link = new Link(client, upstream);
        links.add(link);
        if (mode == Mode.SWALLOW) {
            link.swallow();
        }
        link.start();
        if (mode == Mode.REFUSE) {
            link.cut();
        }
    }

    private static void inBackground(String name, Runnable work) {
        Thread thread = new Thread(work, "tcp-proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException closed) {
            return;
        }
        closeQuietly(socket);
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception gone) {
            // It was closed before.
        }
    }

    /** One connection: the client's half and the server's. */
    private final class Link {

        private final Socket client;
        private final Socket upstream;
        private volatile boolean isSwallowing;
        private volatile boolean isCutAtAnswer;

        Link(Socket client, Socket upstream) {
            this.client = client;
            this.upstream = upstream;
        }

        void start() {
            inBackground("ask", () -> pump(client, upstream, new Watch()));
            inBackground("answer", () -> pump(upstream, client, null));
        }

        void swallow() {
            isSwallowing = true;
        }

        void cut() {
            reset(client);
            reset(upstream);
        }

        private void pump(Socket from, Socket to, @Nullable Watch watch) {
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                byte[] buffer = new byte[BUFFER_BYTES];
                for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                    if (watch == null ? mayAnswer() : mayAsk(watch, buffer, count)) {
                        out.write(buffer, 0, count);
                    }
                }
            } catch (IOException broken) {
                // Passed on below like an end.
            }
            if (!isSwallowing) {
                closeQuietly(client);
                closeQuietly(upstream);
            }
        }

        private boolean mayAnswer() {
            if (isCutAtAnswer) {
                cut();
            }
            return !isSwallowing && !isCutAtAnswer;
        }

        private boolean mayAsk(Watch watch, byte[] buffer, int count) {
            if (isSwallowing || isCutAtAnswer) {
                return false;
            }
            Trap set = trap.get();
            if (set == null || !watch.sees(set.text(), buffer, count) || !trap.compareAndSet(set, null)) {
                return true;
            }
            switch (set.fault()) {
                case CUT_BEFORE -> cut();
                case CUT_AFTER -> isCutAtAnswer = true;
                case SWALLOW_BEFORE, SWALLOW_AFTER -> isSwallowing = true;
            }
            set.sprung().countDown();
            return set.fault() == Fault.CUT_AFTER || set.fault() == Fault.SWALLOW_AFTER;
        }
    }

    /** Finds text in what one client sends, also where two reads cut it. */
    private static final class Watch {

        private String tail = "";

        boolean sees(String text, byte[] buffer, int count) {
            String seen = tail + new String(buffer, 0, count, StandardCharsets.ISO_8859_1);
            tail = seen.substring(Math.max(0, seen.length() - text.length() + 1));
            return seen.contains(text);
        }
    }
}
