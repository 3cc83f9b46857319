package dev.sweep.jooq;

import java.sql.Connection;
import java.sql.SQLException;

/** Ends connections for good, so that their source never hands them out again. */
final class Discarded {

    private Discarded() {}

    /** Needs no answer of the server. */
    static void connection(Connection connection) {
        try (connection) {
            connection.abort(Runnable::run);
        } catch (SQLException gone) {
            // As meant.
        }
    }
}
