/** The engine: claims due tasks, runs their handlers, records their outcomes. */
module dev.sweep.worker {
    // javac refuses to export a package without a type; with the first one comes its line:
    // exports dev.sweep.worker;

    requires transitive dev.sweep.api;
    requires static transitive org.jspecify;
    requires org.slf4j;
}
