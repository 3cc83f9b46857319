package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.spi.Listening;
import dev.sweep.spi.WakeUp;
import dev.sweep.spi.WakingStore;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Announcing and listening; says nothing of a store that tells nothing. */
abstract class WakeUpContract extends ContractPart {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final WakeUp NEW = new WakeUp.NewTasks(QUEUE);

    @Test
    void whatIsAnnouncedIsHeard() throws Exception {
        Set<WakeUp> all = Set.of(
                NEW, new WakeUp.TasksReturned(QUEUE), new WakeUp.TasksReturnedAnywhere(), new WakeUp.TasksCancelled());
        whileListening((store, ear) -> {
            all.forEach(store::announce);
            assertThat(heard(ear, all.size())).isEqualTo(all);
        });
    }

    @Test
    void everyoneHears() throws Exception {
        whileListening((store, first) -> whileListening((same, second) -> {
            store.announce(NEW);
            assertThat(first.await(LONG)).containsExactly(NEW);
            assertThat(second.await(LONG)).containsExactly(NEW);
        }));
    }

    @Test
    void namesOfQueuesArriveAsTheyAre() throws Exception {
        Set<WakeUp> all = Set.of(
                new WakeUp.NewTasks("q".repeat(200)),
                new WakeUp.TasksReturned("\uD83D\uDE80".repeat(50)),
                new WakeUp.NewTasks("it's \"quoted\" \\ and: r:c"));
        whileListening((store, ear) -> {
            all.forEach(store::announce);
            assertThat(heard(ear, all.size())).isEqualTo(all);
        });
    }

    @Test
    void manyQueuesAtOnceAllArrive() throws Exception {
        Set<WakeUp> all = IntStream.range(0, 500)
                .mapToObj(i -> new WakeUp.NewTasks("queue-" + i))
                .collect(Collectors.toSet());
        whileListening((store, ear) -> {
            all.forEach(store::announce);
            assertThat(heard(ear, all.size())).isEqualTo(all);
        });
    }

    @Test
    void silenceIsAnEmptyAnswer() throws Exception {
        whileListening(
                (store, ear) -> assertThat(ear.await(Duration.ofMillis(1))).isEmpty());
    }

    @Test
    void aSelfTestHearsItselfAndKeepsTheRest() throws Exception {
        whileListening((store, ear) -> {
            store.announce(NEW);
            assertThat(ear.selfTest(LONG)).isEmpty();
            assertThat(ear.await(LONG)).containsExactly(NEW);
        });
    }

    @Test
    void closingEndsAWaitUnderWay() throws Exception {
        whileListening((store, ear) -> {
            CompletableFuture<Set<WakeUp>> waiting = CompletableFuture.supplyAsync(() -> ear.await(LONG));
            // Let the wait begin, without relying on it: closing before it must end it too.
            assertThat(waiting.completeOnTimeout(null, 50, TimeUnit.MILLISECONDS))
                    .isNotCompletedExceptionally();
            ear.close();
            ear.close();
            assertThat(waiting).succeedsWithin(LONG).isEqualTo(Set.of());
            assertThat(ear.await(LONG)).isEmpty();
        });
    }

    @Test
    void aClosedStoreAnnouncesNothingAndDoesNotComplain() {
        if (store() instanceof WakingStore store) {
            store().close();
            store.announce(NEW);
        }
    }

    private void whileListening(Scene scene) throws Exception {
        if (store() instanceof WakingStore store) {
            try (Listening ear = store.listen().orElseThrow()) {
                scene.play(store, ear);
            }
        }
    }

    private static Set<WakeUp> heard(Listening ear, int atLeast) {
        Set<WakeUp> heard = new HashSet<>();
        long end = System.nanoTime() + LONG.toNanos();
        while (heard.size() < atLeast && System.nanoTime() - end < 0) {
            heard.addAll(ear.await(Duration.ofMillis(200)));
        }
        return heard;
    }

    @FunctionalInterface
    private interface Scene {
        void play(WakingStore store, Listening ear) throws Exception;
    }
}
