/** The scheduler of chores, and the doctor. */
module dev.sweep.maintenance {
    exports dev.sweep.maintenance;

    requires transitive dev.sweep.api;
    requires transitive dev.sweep.jooq;
    requires transitive dev.sweep.partitioning;
    requires static jakarta.xml.bind;
    requires org.jooq;
    requires static transitive org.jspecify;
    requires org.slf4j;
}
