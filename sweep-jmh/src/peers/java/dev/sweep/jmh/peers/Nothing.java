package dev.sweep.jmh.peers;

import org.jobrunr.jobs.lambdas.JobRequest;

/** A task that does nothing, as JobRunr writes it into the database: by its fields. */
public final class Nothing implements JobRequest {

    private static final long serialVersionUID = 1;

    private String payload = "";

    /** For what reads it. */
    Nothing() {}

    Nothing(String payload) {
        this.payload = payload;
    }

    String payload() {
        return payload;
    }

    @Override
    public Class<NothingHandler> getJobRequestHandler() {
        return NothingHandler.class;
    }
}
