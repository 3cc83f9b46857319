package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DockerEngineTest {

    @TempDir
    private Path folder;

    @Test
    void engineAtATcpPortAnswersWhileItListens() throws IOException {
        int port;
        try (ServerSocket engine = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = engine.getLocalPort();
            assertThat(DockerEngine.answersAt("tcp://localhost:" + port)).isTrue();
        }
        assertThat(DockerEngine.answersAt("tcp://localhost:" + port)).isFalse();
    }

    @Test
    void engineAtASocketFileAnswersWhileItListens() throws IOException {
        Path socket = folder.resolve("docker.sock");
        assertThat(DockerEngine.answersAt("unix://" + socket)).isFalse();
        try (ServerSocketChannel engine = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            engine.bind(UnixDomainSocketAddress.of(socket));
            assertThat(DockerEngine.answersAt("unix://" + socket)).isTrue();
        }
        assertThat(Files.exists(socket)).isTrue();
        assertThat(DockerEngine.answersAt("unix://" + socket)).isFalse();
    }

    @Test
    void hostThatIsNoAddressAnswersNothing() {
        assertThat(DockerEngine.answersAt("ssh://somewhere")).isFalse();
        assertThat(DockerEngine.answersAt("nonsense")).isFalse();
        assertThat(DockerEngine.answersAt("unix:relative")).isFalse();
        assertThat(DockerEngine.answersAt("tcp://no-such-host.invalid:2375")).isFalse();
        assertThat(DockerEngine.answersAt("tcp:no-host")).isFalse();
        assertThat(DockerEngine.answersAt("tcp:// not a uri")).isFalse();
    }
}
