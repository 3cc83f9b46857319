package dev.sweep.worker;

import dev.sweep.TaskBatch;
import java.util.List;

/** What a batch handler sees. */
record PlainBatch<P>(List<TaskBatch.Item<P>> items) implements TaskBatch<P> {}
