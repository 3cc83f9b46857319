package dev.sweep.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command about the database; what is not given comes from the environment. */
final class DatabaseOptions {

    static final String DEFAULT_SCHEMA = "sweep";

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The database: jdbc:postgresql://host:5432/db or postgresql://user@host:5432/db. Else SWEEP_URL.")
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

    /** Whether a database was named at all. */
    boolean isGiven(Map<String, String> environment) {
        return first(url, environment, "SWEEP_URL") != null;
    }

    boolean isUrlOption() {
        return url != null;
    }

    /** Where to connect to; without a URL an error that says both ways to give one. */
    DatabaseAddress address(Map<String, String> environment) {
        String where = first(url, environment, "SWEEP_URL");
        if (where == null) {
            throw CliException.badInput("no database is named; pass --url jdbc:postgresql://host:5432/database"
                    + " or set SWEEP_URL (sweep demo brings a database of its own)");
        }
        DatabaseAddress address = DatabaseAddress.parse(where);
        String givenUser = first(user, environment, "SWEEP_USER");
        String givenPassword = first(password, environment, "SWEEP_PASSWORD");
        DatabaseAddress explicit = address.as(givenUser, givenPassword);
        return new DatabaseAddress(
                explicit.jdbcUrl(),
                explicit.user() == null ? first(null, environment, "PGUSER") : explicit.user(),
                explicit.password() == null ? first(null, environment, "PGPASSWORD") : explicit.password());
    }

    String schema(Map<String, String> environment) {
        String given = first(schema, environment, "SWEEP_SCHEMA");
        return given == null ? DEFAULT_SCHEMA : given;
    }

    private static @Nullable String first(
            @Nullable String option, Map<String, String> environment, String variable) {
        String value = option == null ? environment.get(variable) : option;
        return value == null || value.isEmpty() ? null : value;
    }
}
