package dev.sweep;

import dev.sweep.spi.TaskRecord;
import dev.sweep.spi.TaskStore;
import dev.sweep.spi.WakeUp;
import dev.sweep.spi.WakingStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Tells workers what was committed, if the store can. */
final class Announcements {

    private final TaskStore store;

    Announcements(TaskStore store) {
        this.store = store;
    }

    /** Of tasks that are durable; returns the answers. */
    List<Enqueued> enqueued(List<TaskRecord> tasks, List<Enqueued> answers) {
        Set<String> queues = new HashSet<>();
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i).isNew()) {
                queues.add(tasks.get(i).queue());
            }
        }
        queues.forEach(queue -> announce(new WakeUp.NewTasks(queue)));
        return answers;
    }

    /** Only if the connection has committed by itself; else the caller will, and knows when. */
    List<Enqueued> enqueued(Connection tx, List<TaskRecord> tasks, List<Enqueued> answers) {
        return store instanceof WakingStore && hasCommitted(tx) ? enqueued(tasks, answers) : answers;
    }

    void announce(WakeUp wakeUp) {
        if (store instanceof WakingStore waking) {
            waking.announce(wakeUp);
        }
    }

    private static boolean hasCommitted(Connection tx) {
        try {
            return tx.getAutoCommit();
        } catch (SQLException broken) {
            return false;
        }
    }
}
