package dev.sweep.jmh.peers;

import org.jobrunr.server.JobActivator;

/** Hands out the one handler that there is. */
final class OneHandler implements JobActivator {

    private final NothingHandler handler;

    OneHandler(NothingHandler handler) {
        this.handler = handler;
    }

    @Override
    public <T> T activateJob(Class<T> type) {
        return type.cast(handler);
    }
}
