package dev.sweep.worker;

import dev.sweep.spi.ClaimedTask;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Runs the tasks of one queue one after the other on one thread, which no handler leaves changed for the next. */
final class Slot implements Runnable {

    private final String queue;
    private final String worker;
    private final TaskBuffer buffer;
    private final AttemptRunner runner;
    private final Completer completer;

    Slot(String queue, String worker, TaskBuffer buffer, AttemptRunner runner, Completer completer) {
        this.queue = queue;
        this.worker = worker;
        this.buffer = buffer;
        this.runner = runner;
        this.completer = completer;
    }

    @Override
    public void run() {
        Thread thread = Thread.currentThread();
        ClassLoader classLoader = thread.getContextClassLoader();
        String name = thread.getName();
        @Nullable HeldAttempt held = buffer.take(queue);
        while (held != null) {
            runOne(held);
            thread.setContextClassLoader(classLoader);
            thread.setName(name);
            held = buffer.take(queue);
        }
    }

    private void runOne(HeldAttempt held) {
        StopWatch watch = StopWatch.started();
        try {
            Thread.interrupted();
            if (held.begin(Moment.now())) {
                describe(held.task());
                Ending ending = runner.run(held);
                pause(held, ending);
                completer.offer(ending);
            } else {
                completer.release(List.of(held));
            }
        } catch (Throwable outOfMemoryMostLikely) {
            completer.release(List.of(held));
        } finally {
            held.endHandler();
            MDC.clear();
            buffer.done(held, watch.stop());
        }
    }

    private static void pause(HeldAttempt held, Ending ending) {
        if (ending instanceof Ending.Released released) {
            held.awaitStop(released.pause());
        }
    }

    private void describe(ClaimedTask task) {
        MDC.put("task_id", task.id().toString());
        MDC.put("task_type", task.type());
        MDC.put("queue", task.queue());
        MDC.put("attempt", Integer.toString(task.attemptNumber()));
        MDC.put("worker", worker);
    }
}
