package dev.sweep.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command about the database; what is not given comes from the environment. */
final class DatabaseOptions {

    static final String HEADING = "%nDatabase:%n";
    static final String DEFAULT_SCHEMA = "sweep";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description =
                    "The database: jdbc:postgresql://host:5432/db or postgresql://user@host:5432/db. Else SWEEP_URL.")
    private @Nullable String url;

    @Option(names = "--user", paramLabel = "NAME", description = "Who logs in. Else SWEEP_USER or PGUSER.")
    private @Nullable String user;

    @Option(
            names = "--password",
            paramLabel = "TEXT",
            description = "Others can see it in the process list: better set SWEEP_PASSWORD or PGPASSWORD.")
    private @Nullable String password;

    @Option(
            names = "--schema",
            paramLabel = "NAME",
            description = "The schema that holds Sweep's tables. Else SWEEP_SCHEMA, else sweep.")
    private @Nullable String schema;

    /** Connects to a schema that this version can work with. */
    OpenSweep open(int maxConnections) {
        Map<String, String> environment = System.getenv();
        return OpenSweep.open(address(environment), schema(environment), maxConnections);
    }

    /** Connects, whatever the schema there is like. */
    OpenSweep connect(int maxConnections) {
        Map<String, String> environment = System.getenv();
        return OpenSweep.connect(address(environment), schema(environment), maxConnections);
    }

    /** Where to connect to; without a URL an error that says both ways to give one. */
    DatabaseAddress address(Map<String, String> environment) {
        String where = first(url, environment, "SWEEP_URL");
        if (where == null) {
            throw CliException.badInput("no database is named; pass --url jdbc:postgresql://host:5432/database"
                    + " or set SWEEP_URL (sweep demo brings a database of its own)");
        }
        return login(DatabaseAddress.parse(where), user, password, environment);
    }

    String schema(Map<String, String> environment) {
        String given = first(schema, environment, "SWEEP_SCHEMA");
        return given == null ? DEFAULT_SCHEMA : given;
    }

    /** Who logs in: as the options say, else Sweep's variables, else the URL, else PostgreSQL's own variables. */
    static DatabaseAddress login(
            DatabaseAddress address,
            @Nullable String user,
            @Nullable String password,
            Map<String, String> environment) {
        DatabaseAddress explicit =
                address.as(first(user, environment, "SWEEP_USER"), first(password, environment, "SWEEP_PASSWORD"));
        return explicit.as(
                explicit.user() == null ? environment.get("PGUSER") : null,
                explicit.password() == null ? environment.get("PGPASSWORD") : null);
    }

    private static @Nullable String first(@Nullable String option, Map<String, String> environment, String variable) {
        String value = option == null ? environment.get(variable) : option;
        return value == null || value.isEmpty() ? null : value;
    }
}
