package dev.sweep.worker;

import dev.sweep.spi.Attempt;
import dev.sweep.spi.Cancellation;
import dev.sweep.spi.Completion;
import dev.sweep.spi.Failure;
import dev.sweep.spi.Reclaimed;
import dev.sweep.spi.Snooze;
import dev.sweep.spi.TaskStore;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Says endings of one verb to the store, in one call. */
final class OutcomeWriter {

    private final TaskStore store;

    OutcomeWriter(TaskStore store) {
        this.store = store;
    }

    /** Returns the attempts that were accepted. */
    Set<Attempt> write(Ending.Verb verb, List<Ending> endings) {
        return switch (verb) {
            case COMPLETE -> store.complete(parts(endings, OutcomeWriter::completion));
            case FAIL -> store.fail(parts(endings, OutcomeWriter::failure));
            case SNOOZE -> store.snooze(parts(endings, OutcomeWriter::snooze));
            case CANCEL -> store.cancel(parts(endings, OutcomeWriter::cancellation));
            case RELEASE -> store.release(parts(endings, Ending::attempt));
            case LOSE -> throw new IllegalArgumentException("what is lost has no outcome; use lose()");
            case NONE ->
                endings.stream()
                        .filter(ending -> ending instanceof Ending.Decided decided && decided.isAccepted())
                        .map(Ending::attempt)
                        .collect(Collectors.toSet());
        };
    }

    /** Takes back what came to nothing. */
    Reclaimed lose(List<Ending> endings) {
        return store.lose(parts(endings, Ending::attempt));
    }

    private static <T> List<T> parts(List<Ending> endings, Function<Ending, T> part) {
        return endings.stream().map(part).toList();
    }

    private static Completion completion(Ending ending) {
        return ((Ending.Completed) ending).completion();
    }

    private static Failure failure(Ending ending) {
        return ((Ending.Failed) ending).failure();
    }

    private static Cancellation cancellation(Ending ending) {
        return ((Ending.Cancelled) ending).cancellation();
    }

    private static Snooze snooze(Ending ending) {
        return ((Ending.Snoozed) ending).snooze();
    }
}
