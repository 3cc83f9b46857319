package dev.sweep.testing;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether a Docker engine listens. Asked before Testcontainers is, which takes seconds and pages of log to find that there is
 * none.
 */
final class DockerEngine {

    private static final int CONNECT_TIMEOUT_MILLIS = 1_000;
    private static final int DEFAULT_TCP_PORT = 2375;

    private DockerEngine() {}

    /** True if the engine that {@code DOCKER_HOST} names, or else one at a usual socket, takes a connection. */
    static boolean answers() {
        return TestSetting.of("DOCKER_HOST")
                .map(DockerEngine::answersAt)
                .orElseGet(() -> usualSockets().anyMatch(DockerEngine::takesConnection));
    }

    /** Whether one listens at an address in the form of {@code DOCKER_HOST}. */
    static boolean answersAt(String dockerHost) {
        URI uri;
        try {
            uri = new URI(dockerHost);
        } catch (URISyntaxException noAddress) {
            return false;
        }
        return switch (Objects.requireNonNullElse(uri.getScheme(), "")) {
            case "unix" -> uri.getPath() != null && takesConnection(Path.of(uri.getPath()));
            case "tcp", "http", "https" -> uri.getHost() != null && takesConnection(uri);
            default -> false;
        };
    }

    private static Stream<Path> usualSockets() {
        Path home = Path.of(System.getProperty("user.home"));
        Stream<Path> fixed = Stream.of(
                Path.of("/var/run/docker.sock"),
                home.resolve(".docker/run/docker.sock"),
                home.resolve(".docker/desktop/docker.sock"));
        Optional<Path> rootless = TestSetting.of("XDG_RUNTIME_DIR").map(dir -> Path.of(dir, "docker.sock"));
        return Stream.concat(fixed, rootless.stream());
    }

    private static boolean takesConnection(Path socket) {
        if (!Files.exists(socket)) {
            return false;
        }
        SocketAddress address = UnixDomainSocketAddress.of(socket);
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(address);
        } catch (IOException nobodyListens) {
            return false;
        }
    }

    private static boolean takesConnection(URI uri) {
        int port = uri.getPort() < 0 ? DEFAULT_TCP_PORT : uri.getPort();
        try (SocketChannel channel = SocketChannel.open()) {
            channel.socket().connect(new InetSocketAddress(uri.getHost(), port), CONNECT_TIMEOUT_MILLIS);
            return true;
        } catch (IOException nobodyListens) {
            return false;
        }
    }
}
