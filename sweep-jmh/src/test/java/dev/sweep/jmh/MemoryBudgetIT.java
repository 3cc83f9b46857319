package dev.sweep.jmh;

import org.junit.jupiter.api.Test;

/** The budget in small; {@code -Psmoke} takes a million tasks. */
class MemoryBudgetIT {

    @Test
    void workerAndProducerKeepWithinTheirHeap() throws Exception {
        MemoryBudget.main(new String[] {"5000", "50000"});
    }
}
