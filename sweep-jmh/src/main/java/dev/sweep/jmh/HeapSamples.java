package dev.sweep.jmh;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How much of the heap is in use once the garbage is gone, looked at now and then. Not thread-safe. */
final class HeapSamples {

    /** What caches and compiled code may add. */
    private static final long TOLERATED_BYTES = 4L << 20;

    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    private final List<Long> samples = new ArrayList<>();

    /** Collects garbage, looks and prints. */
    void take(String moment) {
        memory.gc();
        add(memory.getHeapMemoryUsage().getUsed());
        System.out.printf(
                Locale.ROOT,
                "# %s: %.1f MiB of at most %.0f MiB in use%n",
                moment,
                mebibytes(samples.get(samples.size() - 1)),
                mebibytes(memory.getHeapMemoryUsage().getMax()));
    }

    void add(long usedBytes) {
        samples.add(usedBytes);
    }

    /** Fails if the second half of the samples needed more than the first half. */
    void requireFlat() {
        int half = samples.size() / 2;
        long before = largest(samples.subList(0, half));
        long after = largest(samples.subList(half, samples.size()));
        if (after > before + TOLERATED_BYTES) {
            throw new IllegalStateException(String.format(
                    Locale.ROOT,
                    "the heap grew from %.1f to %.1f MiB, which is more than the %.0f MiB that are tolerated; something"
                            + " keeps what it should forget: see a heap dump (jcmd <pid> GC.heap_dump)",
                    mebibytes(before),
                    mebibytes(after),
                    mebibytes(TOLERATED_BYTES)));
        }
    }

    private static long largest(List<Long> bytes) {
        return bytes.stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    private static double mebibytes(long bytes) {
        return bytes / 1048576.0;
    }
}
