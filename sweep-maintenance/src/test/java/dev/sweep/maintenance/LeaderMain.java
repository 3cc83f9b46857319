package dev.sweep.maintenance;

import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.testing.PostgresServer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Leads in a process of its own until it is killed. Argument: the schema; SWEEP_TEST_URL names the server. */
final class LeaderMain {

    private LeaderMain() {}

    public static void main(String[] args) throws InterruptedException {
        try (JooqTaskStore store = JooqTaskStore.builder(PostgresServer.shared().dataSource())
                        .schema(args[0])
                        .build();
                MaintenanceService service = MaintenanceService.builder(store)
                        .name("killed")
                        .leaseDuration(Duration.ofSeconds(3))
                        .build()) {
            service.start();
            new CountDownLatch(1).await();
        }
    }
}
