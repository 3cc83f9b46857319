package dev.sweep.cli.bench;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A task that a hand-written loop has claimed. */
record Claimed(long id, String payload) {

    /** Runs a claim that returns id and payload. */
    static List<Claimed> by(PreparedStatement claim) throws SQLException {
        List<Claimed> claimed = new ArrayList<>();
        try (ResultSet rows = claim.executeQuery()) {
            while (rows.next()) {
                claimed.add(new Claimed(rows.getLong(1), rows.getString(2)));
            }
        }
        return claimed;
    }
}
