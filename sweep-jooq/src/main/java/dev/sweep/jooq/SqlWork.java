package dev.sweep.jooq;

import java.sql.Connection;
import java.sql.SQLException;

/** What to do with a connection that someone else opened and will close. */
@FunctionalInterface
interface SqlWork<T> {

    T on(Connection connection) throws SQLException;
}
