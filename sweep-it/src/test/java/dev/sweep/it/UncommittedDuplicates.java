package dev.sweep.it;

import dev.sweep.DedupKey;
import dev.sweep.Enqueued;
import dev.sweep.TaskId;
import dev.sweep.spi.MigratableStore;
import dev.sweep.spi.TaskRecord;
import dev.sweep.spi.TaskStore;
import dev.sweep.spi.TransactionalStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Makes stores that together take a key for taken as soon as someone enqueued it, whether that was committed or not. */
final class UncommittedDuplicates {

    private final Map<String, TaskId> owners = new ConcurrentHashMap<>();

    TaskStore answeredBy(TaskStore store) {
        return (TaskStore) Proxy.newProxyInstance(
                UncommittedDuplicates.class.getClassLoader(),
                new Class<?>[] {TaskStore.class, TransactionalStore.class, MigratableStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("enqueue") && arguments[0] instanceof Connection tx) {
                        return enqueue(store, tx, (List<?>) arguments[1]);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private List<Enqueued> enqueue(TaskStore store, Connection tx, List<?> records) {
        List<Enqueued> answers = new ArrayList<>();
        for (Object record : records) {
            TaskRecord task = (TaskRecord) record;
            @Nullable DedupKey key = task.dedupKey();
            @Nullable TaskId owner = key == null ? null : owners.get(key.value());
            Enqueued answer = owner == null ? store.enqueue(tx, List.of(task)).get(0) : new Enqueued(owner, false);
            if (key != null) {
                owners.put(key.value(), answer.id());
            }
            answers.add(answer);
        }
        return answers;
    }
}
