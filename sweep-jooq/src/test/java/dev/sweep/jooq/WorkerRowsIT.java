package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.TransactionConflictException;
import dev.sweep.WorkerPresence;
import dev.sweep.testing.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkerRowsIT {

    private static final WorkerPresence PRESENCE =
            new WorkerPresence("w", "host", 1, "version", 1, "listening", List.of("default"), List.of("t"));

    private final PostgresServer server = PostgresServer.shared();

    @Test
    void aTableThatSomeoneHoldsGivesTheSessionOfTheHeartbeatsBackAtOnce() throws SQLException {
        String schema = server.newSchemaName("presence");
        try (JooqTaskStore store = JooqTaskStore.builder(server.dataSource())
                        .schema(schema)
                        .build();
                Connection other = server.dataSource().getConnection();
                Statement statement = other.createStatement()) {
            store.migrate();
            other.setAutoCommit(false);
            statement.execute("lock table " + schema + ".worker");
            // Not the statement timeout of the session, which a heartbeat would have to wait for.
            assertThatThrownBy(() -> store.present(PRESENCE))
                    .isInstanceOf(TransactionConflictException.class)
                    .hasMessageContaining("55P03");
            assertThatThrownBy(() -> store.stopped("w")).isInstanceOf(TransactionConflictException.class);
            other.rollback();
            store.present(PRESENCE);
            assertThat(store.workers()).hasSize(1);
        } finally {
            server.dropSchema(schema);
        }
    }
}
