package dev.sweep.jmh.peers;

import dev.sweep.cli.bench.Place;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A number that a query answers. */
final class Counted {

    private Counted() {}

    /** In the query {@code $s} stands for the schema. */
    static long by(Place place, String query) throws SQLException {
        try (Connection connection = place.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(inSchema(place, query))) {
            row.next();
            return row.getLong(1);
        }
    }

    static String inSchema(Place place, String sql) {
        return sql.replace("$s", '"' + place.schema() + '"');
    }
}
