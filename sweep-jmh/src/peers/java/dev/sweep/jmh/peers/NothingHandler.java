package dev.sweep.jmh.peers;

import dev.sweep.cli.bench.Progress;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.filters.ApplyStateFilter;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.states.JobState;
import org.jobrunr.jobs.states.StateName;

/** Tells that a task has begun, and, once JobRunr has stored it, that it has ended. */
public final class NothingHandler implements JobRequestHandler<Nothing>, ApplyStateFilter {

    private final Progress progress;

    NothingHandler(Progress progress) {
        this.progress = progress;
    }

    @Override
    public void run(Nothing task) {
        progress.claimed();
        progress.started(task.payload());
    }

    @Override
    public void onStateApplied(Job job, JobState before, JobState after) {
        if (after.getName() == StateName.SUCCEEDED) {
            progress.finished(1);
        }
    }
}
