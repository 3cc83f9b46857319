package dev.sweep.cli;

import dev.sweep.TaskType;
import java.util.ArrayList;
import java.util.List;

/**
 * The counts of a demo: as the database has them, or as they must be.
 *
 * @param customers rows that the sign-ups wrote
 * @param enqueued tasks that exist
 * @param duplicates sign-ups that were told that their task existed already
 * @param succeeded tasks
 * @param retried failed attempts that were followed by another one
 * @param dead tasks that no machine will retry
 * @param effects rows that the transactional handler wrote
 * @param tasksWithEffect different tasks among those rows that have succeeded
 * @param bonusesSucceeded tasks of the transactional handler that have succeeded
 */
record DemoCounts(
        long customers,
        long enqueued,
        long duplicates,
        long succeeded,
        long retried,
        long dead,
        long effects,
        long tasksWithEffect,
        long bonusesSucceeded) {

    /** What must come out. */
    static DemoCounts expected(int signUps, Misfortune misfortune) {
        long retried = DemoTasks.IMPOSSIBLE.maxRetries();
        for (TaskType<?> type : DemoTasks.PER_CUSTOMER) {
            for (int customer = 1; customer <= signUps; customer++) {
                retried += misfortune.failures(type.name(), customer);
            }
        }
        long succeeded = (long) signUps * DemoTasks.PER_CUSTOMER.size();
        return new DemoCounts(
                signUps, succeeded + 1, SignUps.repeated(signUps), succeeded, retried, 1, signUps, signUps, signUps);
    }

    /** Whether every task of the transactional handler that succeeded has exactly one effect, and no other has any. */
    boolean isExactlyOnce() {
        return effects == tasksWithEffect && effects == bonusesSucceeded;
    }

    /** One sentence per count that is not what it must be. */
    List<String> faults(DemoCounts expected) {
        List<String> faults = new ArrayList<>();
        compare(faults, "customers", customers, expected.customers);
        compare(faults, "enqueued", enqueued, expected.enqueued);
        compare(faults, "duplicates", duplicates, expected.duplicates);
        compare(faults, "succeeded", succeeded, expected.succeeded);
        compare(faults, "retried", retried, expected.retried);
        compare(faults, "dead", dead, expected.dead);
        compare(faults, "effects", effects, expected.effects);
        compare(faults, "tasks with an effect", tasksWithEffect, expected.tasksWithEffect);
        compare(faults, "succeeded bonuses", bonusesSucceeded, expected.bonusesSucceeded);
        return faults;
    }

    private static void compare(List<String> faults, String name, long is, long must) {
        if (is != must) {
            faults.add(name + ": " + is + " in the database, but it must be " + must);
        }
    }
}
