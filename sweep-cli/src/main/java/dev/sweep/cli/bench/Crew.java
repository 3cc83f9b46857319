package dev.sweep.cli.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Processes of one contender that work together, started and stopped as one. */
final class Crew implements AutoCloseable {

    private static final Duration LOOK_EVERY = Duration.ofMillis(2);
    private static final Duration STALLED_AFTER = Duration.ofMinutes(2);

    private final List<ChildProcess> members = new ArrayList<>();
    private final Pause pause;

    private Crew(Pause pause) {
        this.pause = pause;
    }

    /** Starts so many processes and returns when all are connected. */
    static Crew start(int size, Order order, Place place, Path folder, Pause pause)
            throws IOException, InterruptedException {
        Crew crew = new Crew(pause);
        try {
            for (int i = 0; i < size; i++) {
                Path log = folder.resolve(order.role().name() + "-" + i + ".log");
                crew.members.add(ChildProcess.start(order, place, log));
            }
            crew.awaitReady();
            return crew;
        } catch (IOException | InterruptedException | RuntimeException failed) {
            crew.close();
            throw failed;
        }
    }

    private void awaitReady() throws IOException, InterruptedException {
        long until = System.nanoTime() + STALLED_AFTER.toNanos();
        while (!members.stream().allMatch(ChildProcess::isReady)) {
            look();
            if (System.nanoTime() > until) {
                throw new BenchException(
                        "a process of the bench has not connected within " + STALLED_AFTER.toSeconds() + " s");
            }
        }
    }

    int size() {
        return members.size();
    }

    void go() throws IOException {
        for (ChildProcess member : members) {
            member.go();
        }
    }

    /** Waits until they have done so many in all; fails if nothing moves for long. */
    Tally await(long count) throws IOException, InterruptedException {
        Tally last = tally();
        long changedAt = System.nanoTime();
        while (last.count() < count) {
            look();
            Tally now = tally();
            if (now.count() != last.count()) {
                changedAt = System.nanoTime();
            } else if (System.nanoTime() - changedAt > STALLED_AFTER.toNanos()) {
                throw new BenchException("nothing has moved for " + STALLED_AFTER.toSeconds() + " s; " + now.count()
                        + " of " + count + " are done");
            }
            last = now;
        }
        return last;
    }

    private void look() throws IOException, InterruptedException {
        for (ChildProcess member : members) {
            member.checkAlive();
        }
        pause.pause(LOOK_EVERY);
    }

    Tally tally() {
        return members.stream().map(ChildProcess::tally).reduce(Tally.NONE, Tally::and);
    }

    /** Complete once they have stopped; in microseconds. */
    List<Long> ages() {
        return members.stream().flatMap(member -> member.ages().stream()).toList();
    }

    Duration cpu() {
        return members.stream().map(ChildProcess::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    /** Returns when all have stopped well. */
    Tally stop() throws IOException, InterruptedException {
        for (ChildProcess member : members) {
            member.stop();
        }
        return tally();
    }

    @Override
    public void close() {
        members.forEach(ChildProcess::close);
    }
}
