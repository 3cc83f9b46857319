package dev.sweep.it.architecture.bad.worker;

import dev.sweep.it.architecture.bad.jooq.StoreThatKnowsTheWorker;

public record WorkerThatKnowsAStore(StoreThatKnowsTheWorker store) {}
