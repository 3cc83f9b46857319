/** The PostgreSQL store: migrations, generated schema, every statement, connection pool. */
module dev.sweep.jooq {
    exports dev.sweep.jooq;

    requires com.fasterxml.jackson.databind;
    requires transitive com.zaxxer.hikari;
    requires transitive dev.sweep.api;
    requires flyway.core;
    requires static jakarta.xml.bind;
    requires transitive org.jooq;
    requires static transitive org.jspecify;
    requires org.postgresql.jdbc;
    requires org.slf4j;

    // Flyway reads the migrations by name.
    opens db.sweep;
}
