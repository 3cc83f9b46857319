/** The store contract, an in-memory store, a stepped engine, settable time and a PostgreSQL for tests. */
module dev.sweep.testing {
    exports dev.sweep.testing;

    requires static com.zaxxer.hikari;
    requires transitive dev.sweep.api;
    requires transitive dev.sweep.worker;
    requires static embedded.postgres;
    requires static org.assertj.core;
    requires static org.junit.jupiter.api;
    requires static transitive org.jspecify;
    requires static org.postgresql.jdbc;
    requires org.slf4j;
    requires static testcontainers;
}
