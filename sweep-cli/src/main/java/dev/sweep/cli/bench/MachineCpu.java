package dev.sweep.cli.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The CPU time of the whole machine at one moment, in ticks of all cores.
 *
 * @param busy by whomever
 * @param all idle ones too
 */
record MachineCpu(long busy, long all) {

    private static final Path STAT = Path.of("/proc/stat");
    private static final int FIRST_TICKS = 1;
    /** Guests are counted as user time already. */
    private static final int LAST_TICKS = 8;

    private static final int IDLE = 4;
    private static final int WAITING_FOR_DISK = 5;
    private static final double WHOLE = 100;

    /** Empty where there is no {@code /proc}. */
    static Optional<MachineCpu> read() {
        try {
            return Optional.of(of(Files.readString(STAT, StandardCharsets.UTF_8)));
        } catch (IOException notLinux) {
            return Optional.empty();
        }
    }

    static MachineCpu of(String stat) {
        String[] fields = stat.lines().findFirst().orElse("").split(" +", -1);
        long busy = 0;
        long all = 0;
        for (int i = FIRST_TICKS; i <= LAST_TICKS; i++) {
            long ticks = Long.parseLong(fields[i]);
            all += ticks;
            busy += i == IDLE || i == WAITING_FOR_DISK ? 0 : ticks;
        }
        return new MachineCpu(busy, all);
    }

    double percentSince(MachineCpu before) {
        return WHOLE * (busy - before.busy) / Math.max(1, all - before.all);
    }
}
