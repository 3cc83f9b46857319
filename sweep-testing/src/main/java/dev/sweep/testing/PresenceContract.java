package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sweep.KnownWorker;
import dev.sweep.WorkerPresence;
import dev.sweep.spi.PresenceStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What people see of workers. */
abstract class PresenceContract extends ContractPart {

    /** Other workers may have been seen on the same store before. */
    private final String name = "w-" + UUID.randomUUID();

    @BeforeEach
    final void skipStoresThatDoNotShowWorkers() {
        assumeTrue(store() instanceof PresenceStore, "the store is no PresenceStore");
    }

    @Test
    void aWorkerIsShownAsItSaysOfItself() {
        presences().present(presence("connecting"));
        KnownWorker known = known();
        assertThat(known.presence()).isEqualTo(presence("connecting"));
        assertThat(known.seenAt()).isAfterOrEqualTo(known.startedAt());
        assertThat(known.stoppedAt()).isEmpty();
    }

    @Test
    void aWorkerThatShowsItselfAgainKeepsItsStartAndIsSeenLater() {
        presences().present(presence("connecting"));
        KnownWorker first = known();
        passTime(Duration.ofMillis(1));
        presences().present(presence("listening"));
        KnownWorker again = known();
        assertThat(again.presence().listening()).isEqualTo("listening");
        assertThat(again.startedAt()).isEqualTo(first.startedAt());
        assertThat(again.seenAt()).isAfter(first.seenAt());
    }

    @Test
    void aWorkerThatStoppedIsShownAsStopped() {
        presences().present(presence("listening"));
        presences().stopped(name);
        assertThat(known().stoppedAt()).isPresent();
    }

    @Test
    void theEndOfAnUnknownWorkerChangesNothing() {
        presences().stopped(name);
        assertThat(presences().workers())
                .noneMatch(worker -> worker.presence().name().equals(name));
    }

    private WorkerPresence presence(String listening) {
        return new WorkerPresence(
                name, "a host", 42, "0.1", 16, listening, List.of("default", "Quo\"ted, {1}"), List.of("mail"));
    }

    private KnownWorker known() {
        return presences().workers().stream()
                .filter(worker -> worker.presence().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private PresenceStore presences() {
        return (PresenceStore) store();
    }
}
