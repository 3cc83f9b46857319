package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Real processes, killed, frozen and cut off at random, and then every promise. The seed is printed and decides all that the
 * suite does: {@code -Dsweep.test.crash.seed=}. Longer: {@code -Dsweep.test.crash.seconds=900}, which is what
 * {@code -Psoak} says.
 */
class CrashSuiteIT {

    private static final Duration LEAST = Duration.ofSeconds(Integer.getInteger("sweep.test.crash.seconds", 60));

    @RegisterExtension
    static final Database db = Database.named("crash");

    @Test
    @Timeout(3_600)
    void everyPromiseHoldsThoughProcessesAreKilledFrozenAndCutOff() throws Exception {
        long seed = Long.getLong("sweep.test.crash.seed", new Random().nextLong());
        System.err.println("crash suite with seed " + seed + " for " + LEAST);
        try (CrashRun run = new CrashRun(db, seed)) {
            run.rage(LEAST, LEAST.multipliedBy(3));
            run.settle();
            CrashTally tally = run.tally();
            System.err.println(CrashReport.of(db, run, tally, seed, LEAST));
            assertThat(CrashOracle.judge(db, run.ledger)).isEmpty();
            assertThat(tally.counts())
                    .as(
                            "a run without reclaims of running tasks, refusals and unknown commits proves nothing: %s",
                            tally)
                    .isTrue();
        }
        Awaiting.until(
                "no thread of the suite is alive",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().matches("(producer|chaos|reads|tcp-proxy)-.*")));
    }
}
