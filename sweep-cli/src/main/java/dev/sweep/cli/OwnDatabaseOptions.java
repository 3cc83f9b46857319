package dev.sweep.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of demo and bench about a database of the user's; the environment's is never taken for it. */
final class OwnDatabaseOptions {

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "jdbc:postgresql://host:5432/db or postgresql://user@host:5432/db.")
    private String url = "";

    @Option(names = "--user", paramLabel = "NAME", description = "Who logs in. Else SWEEP_USER or PGUSER.")
    private @Nullable String user;

    @Option(
            names = "--password",
            paramLabel = "TEXT",
            description = "Others can see it in the process list: better set SWEEP_PASSWORD or PGPASSWORD.")
    private @Nullable String password;

    DatabaseAddress address(Map<String, String> environment) {
        if (url.isEmpty()) {
            throw CliException.badInput("--user and --password are about a database of your own; name it with --url");
        }
        return DatabaseOptions.login(DatabaseAddress.parse(url), user, password, environment);
    }
}
