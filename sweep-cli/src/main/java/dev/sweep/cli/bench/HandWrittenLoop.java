package dev.sweep.cli.bench;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A reference: a loop over {@link OneTable} as applications write it by hand. */
abstract class HandWrittenLoop implements Contender {

    /** How many tasks a claim of a worker brings, where it can be said. */
    static final int DEFAULT_BATCH = 500;

    private final int threads;
    private final Duration idleLook;

    /**
     * A loop.
     *
     * @param threads of a worker
     * @param idleLook the time between looks for tasks when there were none
     */
    HandWrittenLoop(int threads, Duration idleLook) {
        this.threads = threads;
        this.idleLook = idleLook;
    }

    /** A connection of this loop; {@code batch}: how many a claim brings, unless that is fixed. */
    abstract LoopSession session(Place place, int batch) throws SQLException;

    @Override
    public final boolean isReference() {
        return true;
    }

    @Override
    public final Set<Ability> lacks() {
        return Set.of(Ability.PARTITIONS);
    }

    @Override
    public final void create(Place place, Stock stock) throws SQLException {
        OneTable.create(place, stock);
    }

    @Override
    public final Census census(Place place) throws SQLException {
        return OneTable.census(place);
    }

    @Override
    public final Producer producer(Place place, int producers) throws SQLException {
        BlockingQueue<LoopSession> sessions = new ArrayBlockingQueue<>(producers, false, sessions(place, producers));
        return new HandWrittenProducer(sessions);
    }

    @Override
    public final TaskLoop worker(Place place, int concurrency, Progress progress) throws SQLException {
        return new HandWrittenTaskLoop(sessions(place, threads), idleLook, progress);
    }

    @Override
    public final BatchLoop batches(Place place, int batch) throws SQLException {
        return new HandWrittenBatchLoop(session(place, batch));
    }

    private List<LoopSession> sessions(Place place, int count) throws SQLException {
        List<LoopSession> sessions = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sessions.add(session(place, DEFAULT_BATCH));
        }
        return sessions;
    }
}
