package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.spi.TaskStore;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract on a clock that nobody moves: it must hold there too, as it has to on PostgreSQL. */
class InMemoryTaskStoreOnSystemTimeTest extends TaskStoreContract {

    private InMemoryTaskStore store;

    @Override
    protected TaskStore newStore() {
        store = InMemoryTaskStore.create();
        return store;
    }

    @Override
    protected void checkInvariants() {
        store.checkInvariants();
    }

    @Test
    void enqueueInATransactionIsRefusedWithTheRemedy() {
        Connection tx = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, args) -> null);

        assertThatThrownBy(() -> store.enqueue(tx, List.of()))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("no transactions")
                .hasMessageContaining("use enqueue(task) without a connection");
    }
}
