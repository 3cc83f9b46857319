/** The sweep command. */
module dev.sweep.cli {
    requires com.fasterxml.jackson.databind;
    requires com.zaxxer.hikari;
    requires dev.sweep.api;
    requires dev.sweep.jooq;
    requires dev.sweep.maintenance;
    requires dev.sweep.partitioning;
    requires dev.sweep.worker;
    requires embedded.postgres;
    requires info.picocli;
    requires static org.jspecify;
    requires org.postgresql.jdbc;
    requires org.slf4j;

    // Others may take part in the bench.
    uses dev.sweep.cli.bench.Contender;

    // picocli fills in options and arguments by reflection, Jackson the payloads of the demo.
    opens dev.sweep.cli to
            com.fasterxml.jackson.databind,
            info.picocli;
}
