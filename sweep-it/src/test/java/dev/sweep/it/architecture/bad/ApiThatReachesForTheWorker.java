package dev.sweep.it.architecture.bad;

import dev.sweep.it.architecture.bad.worker.WorkerThatSpeaksSql;

public record ApiThatReachesForTheWorker(WorkerThatSpeaksSql worker) {}
