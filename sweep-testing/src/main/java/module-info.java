/** The store contract, an in-memory store, a stepped engine, settable time and a PostgreSQL for tests. */
module dev.sweep.testing {
    exports dev.sweep.testing;
    // JUnit runs the contract's tests by reflection.
    opens dev.sweep.testing;

    requires transitive dev.sweep.api;
    requires transitive dev.sweep.worker;
    requires static embedded.postgres;
    // The driver's data sources are Referenceable.
    requires static java.naming;
    requires static net.jqwik.api;
    requires static org.assertj.core;
    // The extension implements its interfaces.
    requires static transitive org.junit.jupiter.api;
    requires static transitive org.jspecify;
    requires static org.postgresql.jdbc;
    requires static testcontainers;
}
