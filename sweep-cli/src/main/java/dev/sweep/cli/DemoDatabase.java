package dev.sweep.cli;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The PostgreSQL of one demo: an embedded one in a throw-away folder, or the user's own, where the demo has two schemas
 * with names that nobody else has.
 *
 * @param taskSchema Sweep's schema
 * @param shopSchema the demo's own
 * @param stop ends what was started
 */
record DemoDatabase(DatabaseAddress address, String taskSchema, String shopSchema, boolean isEmbedded, Runnable stop)
        implements AutoCloseable {

    /** Starts one; takes a few seconds. */
    static DemoDatabase embedded() {
        EmbeddedServer server = EmbeddedServer.start(Map.of());
        return new DemoDatabase(server.address(), DatabaseOptions.DEFAULT_SCHEMA, "sweep_demo", true, server::close);
    }

    /** The user's own; nothing is created yet. */
    static DemoDatabase at(DatabaseAddress address) {
        String suffix =
                String.format(Locale.ROOT, "%08x", ThreadLocalRandom.current().nextInt());
        return new DemoDatabase(address, "sweep_demo_" + suffix, "sweep_demo_" + suffix + "_shop", false, () -> {});
    }

    DemoStatements statements() {
        return new DemoStatements(taskSchema, shopSchema);
    }

    @Override
    public void close() {
        stop.run();
    }
}
