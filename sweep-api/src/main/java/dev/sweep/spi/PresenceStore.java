package dev.sweep.spi;

import dev.sweep.KnownWorker;
import dev.sweep.WorkerPresence;
import java.util.List;

/** SPI: a store in which workers can be seen by people. Optional; nothing else of a store or a worker depends on it. */
public interface PresenceStore {

    /** Writes that this worker runs, or that it still does. One statement. */
    void present(WorkerPresence presence);

    /** Writes that this worker has stopped; does nothing if it is not known. One statement. */
    void stopped(String worker);

    /** The workers that run, or ran not long ago: the latest start first. */
    List<KnownWorker> workers();
}
