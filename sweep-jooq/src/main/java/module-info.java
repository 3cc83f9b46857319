/** The PostgreSQL store: migrations, generated schema, every statement, connection pool. */
module dev.sweep.jooq {
    // javac refuses to export a package without a type; with the first one comes its line:
    // exports dev.sweep.jooq;

    requires com.zaxxer.hikari;
    requires transitive dev.sweep.api;
    requires flyway.core;
    requires transitive org.jooq;
    requires static transitive org.jspecify;
    requires org.postgresql.jdbc;
    requires org.slf4j;
}
