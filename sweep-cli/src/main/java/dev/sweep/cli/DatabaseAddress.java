package dev.sweep.cli;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a PostgreSQL is and who we are there.
 *
 * @param jdbcUrl for the JDBC driver
 * @param user null: what the URL or the driver says
 * @param password null: none was given
 */
record DatabaseAddress(
        String jdbcUrl, @Nullable String user, @Nullable String password) {

    private static final String CONNECT_TIMEOUT_SECONDS = "10";
    private static final Pattern URI =
            Pattern.compile("(?:postgresql|postgres)://(?:(?<login>[^/?]*)@)?(?<place>[^@]*)");
    private static final Pattern SECRETS = Pattern.compile("(?i)([?&](?:ssl)?password=)[^&]*");

    /** Reads a JDBC URL or the URI that psql takes, with or without user and password in it. */
    static DatabaseAddress parse(String url) {
        if (url.startsWith("jdbc:postgresql:")) {
            return new DatabaseAddress(url, null, null);
        }
        Matcher uri = URI.matcher(url);
        if (!uri.matches()) {
            throw CliException.badInput("the database url '" + redacted(url) + "' is not one of PostgreSQL; use"
                    + " jdbc:postgresql://host:5432/database or postgresql://user@host:5432/database");
        }
        String login = uri.group("login");
        String jdbcUrl = "jdbc:postgresql://" + uri.group("place");
        if (login == null || login.isEmpty()) {
            return new DatabaseAddress(jdbcUrl, null, null);
        }
        int colon = login.indexOf(':');
        return colon < 0
                ? new DatabaseAddress(jdbcUrl, decoded(login), null)
                : new DatabaseAddress(jdbcUrl, decoded(login.substring(0, colon)), decoded(login.substring(colon + 1)));
    }

    /** The same place for somebody else; null keeps what is known. */
    DatabaseAddress as(@Nullable String otherUser, @Nullable String otherPassword) {
        return new DatabaseAddress(
                jdbcUrl, otherUser == null ? user : otherUser, otherPassword == null ? password : otherPassword);
    }

    /** Connects once: a pool would try for long, and then not say why it could not. */
    void checkAnswers() {
        Properties login = new Properties();
        login.setProperty("connectTimeout", CONNECT_TIMEOUT_SECONDS);
        if (user != null) {
            login.setProperty("user", user);
        }
        if (password != null) {
            login.setProperty("password", password);
        }
        try {
            DriverManager.getConnection(jdbcUrl, login).close();
        } catch (SQLException refused) {
            throw new CliException(
                    ExitCode.UNREACHABLE,
                    "the database at " + this + " can't be reached: " + refused.getMessage()
                            + "; check --url, --user, the password, and that the server is up",
                    refused);
        }
    }

    /** For people: without any password. */
    @Override
    public String toString() {
        return redacted(jdbcUrl);
    }

    private static String redacted(String url) {
        String withoutLogin = url.replaceFirst("//[^/]*@", "//");
        return SECRETS.matcher(withoutLogin).replaceAll("$1...");
    }

    /** Percent-decoding as in a URI: a plus sign is a plus sign. */
    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new CliException(
                    ExitCode.BAD_INPUT,
                    "the user or password in the database url is not percent-encoded well; write % as %25",
                    malformed);
        }
    }
}
