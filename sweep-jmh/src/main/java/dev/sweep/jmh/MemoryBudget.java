package dev.sweep.jmh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Shows that a worker, and a producer that reads a stream, keep within 64 MiB of heap however many tasks go through them.
 * Arguments: how many tasks of 2 kB are drained, and how many are enqueued. Fails if a process runs out of memory, or its
 * heap grows.
 */
public final class MemoryBudget {

    private static final String HEAP = "-Xmx64m";
    private static final int TEXT_CHARS = 2_000;

    private MemoryBudget() {}

    public static void main(String[] arguments) throws Exception {
        int drained = Integer.parseInt(arguments[0]);
        int enqueued = Integer.parseInt(arguments[1]);
        try (Installation installation = Installation.open(Layout.PLAIN)) {
            new Seed(installation, Layout.PLAIN, Seed.payload(TEXT_CHARS)).waiting(drained);
            run(BoundedWorker.class, drained, installation);
            run(BoundedProducer.class, enqueued, installation);
        }
    }

    private static void run(Class<?> child, int tasks, Installation installation)
            throws IOException, InterruptedException {
        System.out.printf("# %s, %s, %,d tasks%n", child.getSimpleName(), HEAP, tasks);
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        HEAP,
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        child.getName(),
                        Integer.toString(tasks)))
                .inheritIO();
        builder.environment().putAll(installation.coordinates());
        int exit = builder.start().waitFor();
        if (exit != 0) {
            throw new IllegalStateException(child.getSimpleName() + " with " + HEAP + " and " + tasks
                    + " tasks ended with exit code " + exit + "; what it printed above says why");
        }
    }
}
