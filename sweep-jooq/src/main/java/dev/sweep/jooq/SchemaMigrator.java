package dev.sweep.jooq;

import dev.sweep.SchemaException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * Runs Sweep's numbered migrations, beside whatever an application migrates: a location and a history table of their
 * own, inside the schema. Any number of processes may do it at once.
 */
final class SchemaMigrator {

    static final String LOCATION = "classpath:db/sweep";
    static final String HISTORY_TABLE = "sweep_schema_history";

    private final DataSource source;
    private final SchemaName schema;

    SchemaMigrator(DataSource source, SchemaName schema) {
        this.source = source;
        this.schema = schema;
    }

    void migrate() {
        createSchema();
        try {
            flyway().migrate();
        } catch (FlywayException e) {
            throw new SchemaException("schema '" + schema + "' could not be migrated: " + e.getMessage(), e);
        }
    }

    /** Created here and not by Flyway: "if not exists" alone fails when two do it at the same instant. */
    private void createSchema() {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select pg_advisory_xact_lock(hashtextextended('sweep create schema', 0))");
            statement.execute("create schema if not exists " + schema.quoted());
            connection.commit();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw SqlErrors.translated(e);
        }
    }

    private Flyway flyway() {
        FluentConfiguration configuration = Flyway.configure(SchemaMigrator.class.getClassLoader())
                .dataSource(source)
                .locations(LOCATION)
                .sqlMigrationPrefix("V")
                .defaultSchema(schema.value())
                .schemas(schema.value())
                .createSchemas(false)
                .table(HISTORY_TABLE)
                // An application's own tables may be there already.
                .baselineOnMigrate(true)
                .baselineVersion("000")
                .cleanDisabled(true)
                .placeholders(Map.of("schema", schema.quoted(), "schemaText", schema.quotedInText()));
        return configuration.load();
    }
}
