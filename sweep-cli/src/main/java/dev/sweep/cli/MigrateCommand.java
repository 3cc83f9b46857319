package dev.sweep.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sweep.partitioning.CalendarPeriod;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code sweep migrate}: makes the schema what this version needs. */
@Command(
        name = "migrate",
        header = "Create or update the schema; repeatable, and safe while others enqueue and work.",
        description = "Creates what is missing and keeps what is there; does nothing if the schema is as this version"
                + " needs it. Run it before the first task, and before a new version of Sweep is deployed.",
        footer = {
            "  sweep migrate --url jdbc:postgresql://localhost:5432/app",
            "  sweep migrate --schema billing_tasks",
            "  sweep migrate --partitions week"
        })
final class MigrateCommand implements Callable<Integer> {

    /** One that holds the lock on the schema, and those that Flyway works on. */
    private static final int CONNECTIONS = 4;

    @Option(
            names = "--partitions",
            paramLabel = "PERIOD",
            description = "Also switch partitions on, by week, day or month: see sweep partitions on.")
    private @Nullable CalendarPeriod partitions;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() throws SQLException {
        DatabaseAddress address = database.address(System.getenv());
        String schema = database.schema(System.getenv());
        try (OpenSweep opened = OpenSweep.connect(address, schema, CONNECTIONS)) {
            opened.sweep().migrate();
            opened.store().verify();
            if (partitions != null) {
                opened.partitions().build().enable(partitions);
            }
            int version = opened.schemaVersion();
            ObjectNode json = JsonText.object();
            json.put("schema", schema);
            json.put("version", version);
            output.result(json, "schema " + schema + " is at version " + version + ", in " + address);
        }
        return ExitCode.OK;
    }
}
