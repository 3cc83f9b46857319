package dev.sweep.jooq;

import java.sql.Connection;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;

/** jOOQ on the generated types, whose schema {@code sweep} becomes that of the installation. */
final class SchemaSql {

    private SchemaSql() {}

    static DSLContext on(DataSource source, SchemaName schema) {
        return DSL.using(source, SQLDialect.POSTGRES, settings(schema));
    }

    static DSLContext on(Connection connection, SchemaName schema) {
        return DSL.using(connection, SQLDialect.POSTGRES, settings(schema));
    }

    private static Settings settings(SchemaName schema) {
        return new Settings()
                .withExecuteLogging(false)
                .withRenderMapping(new RenderMapping()
                        .withSchemata(new MappedSchema().withInput("sweep").withOutput(schema.value())));
    }
}
