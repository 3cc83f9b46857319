package dev.sweep.testing;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What a server says that it is: asking is also the proof that it can be reached. */
record ServerVersion(String version, int versionNum) {

    static ServerVersion of(ServerAddress address) {
        String question = "select current_setting('server_version'), current_setting('server_version_num')::int";
        try (Connection connection = address.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(question)) {
            row.next();
            return new ServerVersion(row.getString(1), row.getInt(2));
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "can't connect to " + address.place() + " as " + address.user() + ": " + e.getMessage(), e);
        }
    }
}
