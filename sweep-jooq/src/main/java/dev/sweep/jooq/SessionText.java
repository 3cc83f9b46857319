package dev.sweep.jooq;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells from the text of a statement whether it may change a custom setting, such as {@code app.tenant}, for longer than
 * its transaction. The server can't tell: it lists no custom settings. In doubt the answer is yes, which costs a new
 * connection.
 */
final class SessionText {

    private static final Pattern SET = Pattern.compile(
            "\\bset\\s+(session\\s+)?[\\w\"]+\\s*\\.\\s*[\\w\"]+\\s*(=|to\\b)", Pattern.CASE_INSENSITIVE);

    /** At the start of a line or of a statement. */
    private static final Pattern RESET =
            Pattern.compile("(^|;|\\*/)\\s*(reset|discard)\\s+\\w", Pattern.CASE_INSENSITIVE | Pattern.MULTILINE);

    private static final Pattern SET_CONFIG = Pattern.compile("\\bset_config\\b", Pattern.CASE_INSENSITIVE);
    private static final Pattern LOCAL_SET_CONFIG =
            Pattern.compile("\\bset_config\\s*\\([^()]*,\\s*true\\s*\\)", Pattern.CASE_INSENSITIVE);

    private SessionText() {}

    static boolean mayChangeCustomSettings(String sql) {
        return SET.matcher(sql).find() || RESET.matcher(sql).find() || setsBeyondTheTransaction(sql);
    }

    private static boolean setsBeyondTheTransaction(String sql) {
        Matcher call = SET_CONFIG.matcher(sql);
        Matcher local = LOCAL_SET_CONFIG.matcher(sql);
        while (call.find()) {
            if (!local.region(call.start(), sql.length()).lookingAt()) {
                return true;
            }
        }
        return false;
    }
}
