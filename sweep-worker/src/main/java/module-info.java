/** The engine: claims due tasks, runs their handlers, records their outcomes. */
module dev.sweep.worker {
    exports dev.sweep.worker;

    requires transitive dev.sweep.api;
    requires static transitive org.jspecify;
    requires org.slf4j;
}
