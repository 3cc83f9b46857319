package dev.sweep.testing;

import dev.sweep.spi.TaskStore;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/**
 * SPI: what {@link TaskStoreContract} says by examples, as one jqwik property: whatever two workers, producers and people
 * ask of a store, in whatever order, it answers and then holds what a small model says. Outcomes of attempts that have
 * lost their task are among what is asked. A failing history is cut down to a short one and told step by step.
 *
 * <p>Extend it in a test class and say how to make a store and how to move its time. Add {@code net.jqwik:jqwik} and
 * {@code org.assertj:assertj-core} to use it; {@code @PropertyDefaults(tries = ...)} on the class says how many histories
 * are tried.
 */
public abstract class TaskStoreProperties {

    /** For jqwik. */
    protected TaskStoreProperties() {}

    /** A store that holds no task; called for each history, which closes it at its end. */
    protected abstract TaskStore newStore();

    /**
     * Moves the store's time forward: whatever is due, leased or taken until later is so by this much less. Called with
     * hours, and with a millisecond before each step; a store whose clock runs by itself may leave that one out.
     */
    protected abstract void passTime(Duration duration);

    /** Called after each history, before the store is closed: throws if the store holds what must not be. */
    protected abstract void checkInvariants();

    /** Random only: of lists of lists there are more edge cases than tries. */
    @Property(edgeCases = EdgeCasesMode.NONE)
    final void storeIsAsTheModelSaysWhateverIsAskedOfIt(@ForAll("histories") List<Step> history) {
        try (TaskStore store = newStore()) {
            new StoreTrial(store, this::passTime).run(history);
            checkInvariants();
        }
    }

    @Provide
    final Arbitrary<List<Step>> histories() {
        return Histories.any();
    }
}
