/** What applications call and what authors of stores and codecs implement. */
module dev.sweep.api {
    exports dev.sweep;
    exports dev.sweep.event;
    exports dev.sweep.spi;

    // JacksonPayloadCodec takes a mapper of the user's own.
    requires transitive com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.datatype.jdk8;
    requires com.fasterxml.jackson.datatype.jsr310;
    // An application's own transaction is a java.sql.Connection.
    requires transitive java.sql;
    requires static transitive org.jspecify;
}
