package dev.sweep.cli.bench;

import java.sql.SQLException;
import java.util.List;

/** Enqueue, claim, complete by a hand-written loop's statements. */
final class HandWrittenBatchLoop implements BatchLoop {

    private final LoopSession session;

    HandWrittenBatchLoop(LoopSession session) {
        this.session = session;
    }

    /** A claim may bring less than a batch: then there are several. */
    @Override
    public int turn(List<String> payloads) throws SQLException {
        if (!payloads.isEmpty()) {
            session.enqueue(payloads, List.of());
        }
        int done = 0;
        List<Claimed> claimed = session.claim();
        while (!claimed.isEmpty()) {
            session.complete(claimed);
            done += claimed.size();
            claimed = done < payloads.size() ? session.claim() : List.of();
        }
        return done;
    }

    @Override
    public void close() throws SQLException {
        session.close();
    }
}
