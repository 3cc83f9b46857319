package dev.sweep.jooq;

import dev.sweep.SchemaException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;

/** Whether the schema in the database and this code can work together, said before anything is claimed. */
final class SchemaCheck {

    /** The schema version that this code needs; a newer one is fine. */
    static final int NEEDED_VERSION = 1;

    /** What this code calls itself to schemas that ask for a minimum. */
    static final int CODE_VERSION = 1;

    private static final Set<String> INDEXES = Set.of(
            "task_ready_pkey",
            "task_ready_moved",
            "task_ready_lost",
            "task_running_pkey",
            "task_lease_pkey",
            "task_key_pkey",
            "task_outcome_failed",
            "task_outcome_cancelled",
            "task_requeued",
            "dead_letter_pkey",
            "dead_letter_finished",
            "dead_letter_requeued");

    private final DataSource source;
    private final SchemaName schema;

    SchemaCheck(DataSource source, SchemaName schema) {
        this.source = source;
        this.schema = schema;
    }

    /** Throws a {@link SchemaException} that says what is wrong and what to do. */
    void verify() {
        try (Connection connection = source.getConnection()) {
            verifyVersion(connection);
            verifyIndexes(connection);
        } catch (SQLException e) {
            throw SqlErrors.translated(e);
        }
    }

    private void verifyVersion(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select version, min_code_version from " + schema.quoted() + ".schema_info")) {
            if (!row.next()) {
                throw new SchemaException("schema '" + schema + "' has lost its version; run `sweep migrate`");
            }
            int version = row.getInt(1);
            int minCode = row.getInt(2);
            if (version < NEEDED_VERSION) {
                throw new SchemaException("schema '" + schema + "' has version " + version + ", this code needs "
                        + NEEDED_VERSION + "; run `sweep migrate`");
            }
            if (minCode > CODE_VERSION) {
                throw new SchemaException("schema '" + schema + "' (version " + version + ") needs code of version "
                        + minCode + ", this is " + CODE_VERSION + "; upgrade Sweep in this application");
            }
        }
    }

    private void verifyIndexes(Connection connection) throws SQLException {
        Set<String> missing = new TreeSet<>(INDEXES);
        List<String> invalid = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement("""
                select c.relname, i.indisvalid
                from pg_catalog.pg_index i
                join pg_catalog.pg_class c on c.oid = i.indexrelid
                join pg_catalog.pg_namespace n on n.oid = c.relnamespace
                where n.nspname = ?
                """)) {
            statement.setString(1, schema.value());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    boolean ours = missing.remove(rows.getString(1));
                    if (ours && !rows.getBoolean(2)) {
                        invalid.add(rows.getString(1));
                    }
                }
            }
        }
        if (!missing.isEmpty() || !invalid.isEmpty()) {
            throw new SchemaException("schema '" + schema + "' has indexes that are missing " + missing + " or invalid "
                    + invalid + "; claims would be slow or wrong; rebuild them (REINDEX INDEX CONCURRENTLY, or create"
                    + " them as in V001__tables.sql)");
        }
    }
}
