/** Partitions of the task tables: plan, create ahead, convert online, retire. */
module dev.sweep.partitioning {
    exports dev.sweep.partitioning;

    requires transitive dev.sweep.api;
    requires transitive dev.sweep.jooq;
    requires static jakarta.xml.bind;
    requires org.jooq;
    requires static transitive org.jspecify;
    requires org.postgresql.jdbc;
    requires org.slf4j;
}
