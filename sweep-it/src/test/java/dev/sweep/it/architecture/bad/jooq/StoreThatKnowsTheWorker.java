package dev.sweep.it.architecture.bad.jooq;

import dev.sweep.it.architecture.bad.worker.WorkerThatKnowsAStore;

public record StoreThatKnowsTheWorker(WorkerThatKnowsAStore worker) {}
