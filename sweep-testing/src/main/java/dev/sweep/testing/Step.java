package dev.sweep.testing;

import dev.sweep.spi.TaskRecord;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is asked of a store. A pick says which attempt or task is meant, among those there are at that moment, so that any step fits anywhere and a failing history can be shortened. A new verb of the store is one
 * more record here, one more line in {@link Histories}, and one more method of {@link StoreTrial} and {@link StoreModel}.
 */
sealed interface Step {

    void on(StoreTrial trial);

    record Enqueue(List<TaskRecord> tasks) implements Step {
        @Override
        public void on(StoreTrial trial) {
            trial.enqueue(tasks);
        }
    }

    record Claim(String worker, Map<String, Integer> room, int lostRoom, Duration lease) implements Step {
        @Override
        public void on(StoreTrial trial) {
            trial.claim(worker, room, lostRoom, lease);
        }
    }

    /** With a result that every store writes alike, or none. */
    record Complete(List<Integer> picks, @Nullable String result) implements Step {
        @Override
        public void on(StoreTrial trial) {
            trial.complete(picks, result);
        }
    }

    record GiveUp(int pick) implements Step {
        @Override
        public void on(StoreTrial trial) {
            trial.giveUp(pick);
        }
    }

    record Fail(int pick, @Nullable Duration retryIn) implements Step {
        @Override
        public void on(StoreTrial trial) {
            trial.fail(pick, retryIn);
        }
    }

    record Snooze(int pick, Duration delay) implements Step {
        @Override
        public void on(StoreTrial trial) {
            trial.snooze(pick, delay);
        }
    }

    record Release(List<Integer> picks) implements Step {
        @Override
        public void on(StoreTrial trial) {
            trial.release(picks);
        }
    }

    record Beat(String worker, List<Integer> picks, Duration lease) implements Step {
        @Override
        public void on(StoreTrial trial) {
            trial.heartbeat(worker, picks, lease);
        }
    }

    record Reclaim(int limit) implements Step {
        @Override
        public void on(StoreTrial trial) {
            trial.reclaim(limit);
        }
    }

    record Cancel(int pick) implements Step {
        @Override
        public void on(StoreTrial trial) {
            trial.cancel(pick);
        }
    }

    record Pause(String queue) implements Step {
        @Override
        public void on(StoreTrial trial) {
            trial.pause(queue);
        }
    }

    record Resume(String queue) implements Step {
        @Override
        public void on(StoreTrial trial) {
            trial.resume(queue);
        }
    }

    record PassTime(Duration duration) implements Step {
        @Override
        public void on(StoreTrial trial) {
            trial.passTime(duration);
        }
    }
}
