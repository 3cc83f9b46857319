package dev.sweep.jooq;

import dev.sweep.spi.TaskStore;
import dev.sweep.testing.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/** The contract with a mover of dead letters that is never late: it runs before whatever looks at ended tasks. */
class JooqTaskStoreBesideTheMoverIT extends JooqTaskStoreContract {

    private static final Set<String> LOOKING = Set.of(
            "enqueue", "find", "list", "counts", "cancel", "requeue", "delete", "reschedule", "select", "failures");

    @Override
    PostgresServer server() {
        return PostgresServer.shared();
    }

    @Override
    TaskStore asUsed(JooqTaskStore store, StoreUnderTest test) {
        return (TaskStore) Proxy.newProxyInstance(
                JooqTaskStore.class.getClassLoader(),
                JooqTaskStore.class.getInterfaces(),
                (proxy, method, arguments) -> {
                    if (LOOKING.contains(method.getName())) {
                        test.query("select sweep.move_dead_letters(null, 1000)");
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
