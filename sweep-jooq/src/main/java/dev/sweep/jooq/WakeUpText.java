package dev.sweep.jooq;

import dev.sweep.spi.WakeUp;
import java.util.Optional;

/**
 * Wake-ups on the wire: a kind and at most the name of a queue, which has at most 200 bytes; never data of a task. So a
 * notification is far from PostgreSQL's limit of 7,999 bytes, whatever was enqueued.
 */
final class WakeUpText {

    private static final String NEW = "n:";
    private static final String RETURNED = "r:";
    private static final String RETURNED_ANYWHERE = "r";
    private static final String CANCELLED = "c";
    private static final String TEST = "t:";

    private WakeUpText() {}

    static String of(WakeUp wakeUp) {
        if (wakeUp instanceof WakeUp.NewTasks tasks) {
            return NEW + tasks.queue();
        }
        if (wakeUp instanceof WakeUp.TasksReturned tasks) {
            return RETURNED + tasks.queue();
        }
        return wakeUp instanceof WakeUp.TasksCancelled ? CANCELLED : RETURNED_ANYWHERE;
    }

    /** What a listener says to itself. */
    static String ofTest(String token) {
        return TEST + token;
    }

    /** Empty: it is no wake-up, or of a kind that only a newer version knows. */
    static Optional<WakeUp> read(String text) {
        if (text.startsWith(NEW)) {
            return Optional.of(new WakeUp.NewTasks(text.substring(NEW.length())));
        }
        if (text.startsWith(RETURNED)) {
            return Optional.of(new WakeUp.TasksReturned(text.substring(RETURNED.length())));
        }
        return switch (text) {
            case RETURNED_ANYWHERE -> Optional.of(new WakeUp.TasksReturnedAnywhere());
            case CANCELLED -> Optional.of(new WakeUp.TasksCancelled());
            default -> Optional.empty();
        };
    }
}
