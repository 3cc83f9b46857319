package dev.sweep.jmh;

import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.spi.ClaimedTask;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Claim and complete all the time, as other processes would, and put back what they took. */
final class OtherClaimers {

    private static final int BATCH = 50;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> loops = new ArrayList<>();
    private volatile boolean stopped;

    OtherClaimers(Installation installation, Backlog backlog, int number) {
        for (int i = 0; i < number; i++) {
            loops.add(threads.submit(() -> loop(installation, backlog)));
        }
    }

    private void loop(Installation installation, Backlog backlog) {
        try (JooqTaskStore store = installation.anotherStore()) {
            while (!stopped) {
                List<ClaimedTask> tasks = Backlog.claim(store, BATCH, Backlog.LEASE);
                store.complete(Backlog.completionsOf(tasks));
                backlog.owe(tasks.size());
                backlog.refill();
            }
        }
    }

    /** Fails with what ended one of them early. */
    void stop() throws Exception {
        stopped = true;
        threads.shutdown();
        for (Future<?> loop : loops) {
            loop.get(1, TimeUnit.MINUTES);
        }
    }
}
