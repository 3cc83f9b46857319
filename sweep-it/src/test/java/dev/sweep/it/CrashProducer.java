package dev.sweep.it;

import dev.sweep.DedupKey;
import dev.sweep.Enqueued;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.SweepException;
import dev.sweep.TaskId;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Enqueues by transactions that commit, roll back, or lose their network at the commit, with keys that are taken and keys
 * that are free; now and then cancels something. What it was told goes into the {@link CrashLedger}.
 */
final class CrashProducer {

    private static final int MOST_WAITING = 400;
    private static final int MOST_PER_TRANSACTION = 8;

    private final Database db;
    private final CrashLedger ledger;
    private final TcpProxy network;
    private final DataSource throughNetwork;
    private final Random random;

    CrashProducer(Database db, CrashLedger ledger, TcpProxy network, Random random) {
        this.db = db;
        this.ledger = ledger;
        this.network = network;
        this.throughNetwork = network.dataSource();
        this.random = random;
    }

    /** How long to pause before the next one. */
    Duration pause() {
        return Duration.ofMillis(random.nextInt(20, 150));
    }

    /** One transaction, unless so much waits that the workers would never come to an end. */
    void step() throws SQLException {
        int choice = random.nextInt(20);
        List<NewTask<Json>> tasks = tasks();
        if (db.count("sweep.task_ready") > MOST_WAITING) {
            return;
        }
        if (choice == 0) {
            loseNetworkAtCommit(tasks, TcpProxy.Fault.CUT_AFTER);
        } else if (choice == 1) {
            loseNetworkAtCommit(tasks, TcpProxy.Fault.CUT_BEFORE);
        } else {
            transaction(tasks, choice < 7);
        }
        if (random.nextInt(3) == 0) {
            cancelSome();
        }
    }

    private List<NewTask<Json>> tasks() {
        List<NewTask<Json>> tasks = new ArrayList<>();
        for (int i = random.nextInt(MOST_PER_TRANSACTION); i >= 0; i--) {
            tasks.add(task());
        }
        return tasks;
    }

    private NewTask<Json> task() {
        NewTask<Json> task = CrashErrands.ALL
                .get(random.nextInt(CrashErrands.ALL.size()))
                .with(Errands.NOTHING)
                .priority(random.nextInt(1, 11))
                .delay(Duration.ofMillis(random.nextInt(300)));
        return switch (random.nextInt(6)) {
            case 0 -> task.dedupKey(DedupKey.of("kept " + random.nextInt(500)));
            case 1 -> task.dedupKey(DedupKey.of("live " + random.nextInt(4)).untilFinished());
            default -> task;
        };
    }

    private void transaction(List<NewTask<Json>> tasks, boolean isRolledBack) throws SQLException {
        try (Connection tx = db.transaction()) {
            List<Enqueued> answers = db.sweep.enqueueAll(tx, tasks);
            if (isRolledBack) {
                tx.rollback();
            } else {
                tx.commit();
            }
            ledger.note(answers, !isRolledBack);
        }
    }

    private void loseNetworkAtCommit(List<NewTask<Json>> tasks, TcpProxy.Fault fault) throws SQLException {
        List<Enqueued> answers;
        try (Connection tx = throughNetwork.getConnection()) {
            tx.setAutoCommit(false);
            answers = db.sweep.enqueueAll(tx, tasks);
            network.breakAt(ChaosVictim.COMMIT, fault);
            try {
                tx.commit();
                throw new AssertionError("a commit came through a network that was cut");
            } catch (SQLException unknown) {
                // Cut at the server's answer to it, so it had happened; or before the server heard of it.
                ledger.note(answers, fault == TcpProxy.Fault.CUT_AFTER);
            }
        }
    }

    private void cancelSome() {
        Set<TaskId> some =
                db
                        .query("select id from sweep.task order by id desc offset " + random.nextInt(60) + " limit 1")
                        .stream()
                        .map(id -> TaskId.of((Long) id))
                        .collect(Collectors.toSet());
        for (TaskId id : some) {
            try {
                db.sweep.cancel(id).ifPresent(status -> ledger.noteSaidByCancel(id, status));
            } catch (SweepException tooBusy) {
                ledger.fault("cancel of " + id + ": " + tooBusy.getMessage());
            }
        }
    }
}
