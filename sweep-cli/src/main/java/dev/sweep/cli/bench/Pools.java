package dev.sweep.cli.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** What contenders do with their connection pools. */
public final class Pools {

    private Pools() {}

    /** Opens so many connections of a pool and gives them back, so that the clock does not see them being opened. */
    public static void openAll(DataSource pool, int connections) throws SQLException {
        List<Connection> opened = new ArrayList<>();
        try {
            while (opened.size() < connections) {
                opened.add(pool.getConnection());
            }
        } finally {
            for (Connection connection : opened) {
                connection.close();
            }
        }
    }
}
