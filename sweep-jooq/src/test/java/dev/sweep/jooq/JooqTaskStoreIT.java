package dev.sweep.jooq;

import dev.sweep.testing.PostgresServer;

/** The contract on the server of this build's tests: the newest PostgreSQL unless told otherwise. */
class JooqTaskStoreIT extends JooqTaskStoreContract {

    @Override
    PostgresServer server() {
        return PostgresServer.shared();
    }
}
