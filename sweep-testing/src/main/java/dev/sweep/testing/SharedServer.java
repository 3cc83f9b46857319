package dev.sweep.testing;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Chooses the server of this JVM's tests, once. */
final class SharedServer {

    private static final Object LOCK = new Object();
    private static @Nullable PostgresServer server;

    private SharedServer() {}

    static PostgresServer get() {
        synchronized (LOCK) {
            @Nullable PostgresServer chosen = server;
            if (chosen == null) {
                chosen = choose();
                server = chosen;
            }
            return chosen;
        }
    }

    private static PostgresServer choose() {
        Optional<String> url = TestSetting.of("SWEEP_TEST_URL");
        if (url.isPresent()) {
            return announced("SWEEP_TEST_URL", ServerAddress.ofUrl(url.get()));
        }
        return DockerServer.start()
                .map(address -> announced("Testcontainers", address))
                .orElseGet(() -> announced("embedded", PostgresServer.embedded().startForTheJvm()));
    }

    private static PostgresServer announced(String kind, ServerAddress address) {
        PostgresServer chosen = new PostgresServer(address, () -> {});
        TestSetting.say("tests run on PostgreSQL " + chosen.version() + " (" + kind + ")");
        return chosen;
    }
}
