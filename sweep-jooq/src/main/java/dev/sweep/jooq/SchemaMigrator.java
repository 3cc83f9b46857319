package dev.sweep.jooq;

import dev.sweep.SchemaException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.output.MigrateResult;

/**
 * Runs Sweep's numbered migrations, beside whatever an application migrates: a location and a history table of their
 * own, inside the schema. Any number of processes may do it at once. Takes up to three connections; one behind a pooler.
 */
final class SchemaMigrator {

    private static final String LOCATION = "classpath:db/sweep";
    private static final String HISTORY_TABLE = "sweep_schema_history";

    /** Ends with its transaction. Neither "if not exists" nor Flyway's first look at a schema bears company. */
    private static final String LOCK = "select pg_advisory_xact_lock(hashtextextended('sweep migrate ' || ?, 0))";

    private final CheckedDataSource source;
    private final SchemaName schema;

    SchemaMigrator(CheckedDataSource source, SchemaName schema) {
        this.source = source;
        this.schema = schema;
    }

    void migrate() {
        alone(this::createSchema);
        alone(connection -> source.isPooled(connection) ? migratedOn(connection) : migratedFrom(source));
    }

    /** Only where there is none: to ask for it would need rights on the whole database, even if it is there. */
    private boolean createSchema(Connection connection) throws SQLException {
        try (PreparedStatement look =
                connection.prepareStatement("select exists (select from pg_catalog.pg_namespace where nspname = ?)")) {
            look.setString(1, schema.value());
            try (ResultSet row = look.executeQuery()) {
                row.next();
                if (row.getBoolean(1)) {
                    return false;
                }
            }
        }
        try (Statement statement = connection.createStatement()) {
            return statement.execute("create schema if not exists " + schema.quoted());
        }
    }

    /** What Flyway sets for its session stays in this transaction. */
    private MigrateResult migratedOn(Connection connection) throws SQLException {
        MigrateResult result = migratedFrom(PinnedSource.on(connection));
        try (Statement statement = connection.createStatement()) {
            statement.execute("reset search_path; reset role");
        }
        return result;
    }

    private MigrateResult migratedFrom(DataSource connections) {
        return flyway(connections).migrate();
    }

    /** Takes a step that one process at a time takes. */
    private void alone(SqlWork<?> step) {
        try (Connection connection = source.getConnection()) {
            OneTransaction.on(connection, locked -> {
                try (PreparedStatement lock = locked.prepareStatement(LOCK)) {
                    lock.setString(1, schema.value());
                    lock.execute();
                }
                return step.on(locked);
            });
        } catch (FlywayException e) {
            throw new SchemaException("schema '" + schema + "' could not be migrated: " + e.getMessage(), e);
        } catch (SQLException e) {
            throw SqlErrors.translated(e);
        }
    }

    private Flyway flyway(DataSource connections) {
        return Flyway.configure(SchemaMigrator.class.getClassLoader())
                .dataSource(connections)
                .locations(LOCATION)
                .defaultSchema(schema.value())
                .schemas(schema.value())
                .createSchemas(false)
                .table(HISTORY_TABLE)
                // An application's own tables may be there already.
                .baselineOnMigrate(true)
                .baselineVersion("000")
                .cleanDisabled(true)
                .placeholders(Map.of("schema", schema.quoted(), "schemaText", schema.quotedInText()))
                .load();
    }
}
