package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sweep.InvalidConfigurationException;
import dev.sweep.Json;
import dev.sweep.RetryPolicy;
import dev.sweep.Sweep;
import dev.sweep.TaskType;
import dev.sweep.worker.Worker;
import dev.sweep.worker.WorkerBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WorkerSettingsTest {

    private static final TaskType<Json> A = TaskType.json("a");

    private final WorkerBuilder builder = Worker.builder(Sweep.create(InMemoryTaskStore.create()));

    @Test
    void allFaultsAreToldAtOnceWithTheirValueAndRemedy() {
        builder.name(" ")
                .queue("default", 0)
                .queue("default", 2)
                .queue("", 1)
                .handle(A, (payload, context) -> {})
                .handleForOutcome(A, (payload, context) -> null)
                .retryPolicy(TaskType.json("b"), RetryPolicy.ofDefaults())
                .leaseDuration(Duration.ofSeconds(10))
                .heartbeat(Duration.ofSeconds(5))
                .reclaimInterval(Duration.ZERO)
                .pollInterval(Duration.ofSeconds(3), Duration.ofSeconds(2))
                .batch(600, 500)
                .bufferLimit(-1)
                .bufferBytes(0)
                .stopTimeout(Duration.ofSeconds(-1));

        InvalidConfigurationException refused =
                catchThrowableOfType(InvalidConfigurationException.class, builder::build);

        assertThat(refused.faults())
                .anySatisfy(fault -> assertThat(fault).contains("queue 'default' is given twice"))
                .anySatisfy(fault -> assertThat(fault).contains("queue is blank"))
                .anySatisfy(fault -> assertThat(fault).contains("type 'a' has two handlers"))
                .anySatisfy(fault -> assertThat(fault).contains("type 'b' has settings and no handler"))
                .anySatisfy(fault -> assertThat(fault).contains("name ' '", "use 1 to 100"))
                .anySatisfy(fault -> assertThat(fault)
                        .contains(
                                "heartbeat PT5S is not less than half the leaseDuration PT10S", "raise leaseDuration"))
                .anySatisfy(fault -> assertThat(fault).contains("reclaimInterval PT0S is out of range"))
                .anySatisfy(fault ->
                        assertThat(fault).contains("shortest pollInterval PT3S is longer than the longest, PT2S"))
                .anySatisfy(fault -> assertThat(fault).contains("smallest batch 600 is larger than the largest, 500"))
                .anySatisfy(fault -> assertThat(fault).contains("bufferLimit -1 is out of range; use 0 to 100000"))
                .anySatisfy(fault -> assertThat(fault).contains("bufferBytes 0 is out of range"))
                .anySatisfy(fault -> assertThat(fault).contains("stopTimeout PT-1S is out of range"))
                .hasSize(12);
    }

    @Test
    void slotsAreAtLeastOne() {
        builder.queue("mail", 0).handle(A, (payload, context) -> {});

        assertThatThrownBy(builder::build).hasMessage("slots of queue 'mail' 0 is out of range; use 1 to 10000");
    }

    @Test
    void aWorkerWithoutHandlersIsRefused() {
        assertThatThrownBy(builder::build)
                .hasMessageContaining("there is no handler")
                .hasMessageContaining("handle(");
    }

    @Test
    void aTransactionalHandlerNeedsAStoreWithTransactions() {
        builder.handleInTransaction(A, (payload, context) -> {});

        assertThatThrownBy(builder::build)
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContaining("type 'a' has a transactional handler")
                .hasMessageContaining("InMemoryTaskStore")
                .hasMessageContaining("has no transactions");
    }

    @Test
    void aBuilderWhoseFaultsWereMendedBuilds() {
        builder.handle(A, (payload, context) -> {}).batch(0, 5);
        assertThatThrownBy(builder::build).isInstanceOf(InvalidConfigurationException.class);

        Worker worker = builder.batch(1, 5).build();

        assertThat(worker.name()).startsWith("worker-");
        assertThat(worker.health().downReasons()).containsExactly("it was not started");
    }

    @Test
    void twoWorkersOfOneNameHaveDifferentNames() {
        builder.name("host-1").handle(A, (payload, context) -> {});

        assertThat(builder.build().name()).isNotEqualTo(builder.build().name());
    }
}
