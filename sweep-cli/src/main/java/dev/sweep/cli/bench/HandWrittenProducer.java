package dev.sweep.cli.bench;

import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/** Enqueues on one of its connections that is free. */
final class HandWrittenProducer implements Producer {

    private final BlockingQueue<LoopSession> sessions;

    HandWrittenProducer(BlockingQueue<LoopSession> sessions) {
        this.sessions = sessions;
    }

    @Override
    public void enqueueAll(List<String> payloads, List<String> keys) throws SQLException {
        LoopSession session = sessions.remove();
        try {
            session.enqueue(payloads, keys);
        } finally {
            sessions.add(session);
        }
    }

    @Override
    public void enqueue(String payload) throws SQLException {
        enqueueAll(List.of(payload), List.of());
    }

    @Override
    public void close() throws SQLException {
        for (LoopSession session : sessions) {
            session.close();
        }
    }
}
