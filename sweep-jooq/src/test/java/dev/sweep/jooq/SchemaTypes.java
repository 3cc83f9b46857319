package dev.sweep.jooq;

import java.nio.file.Path;
import org.jooq.codegen.GenerationTool;
import org.jooq.meta.jaxb.Configuration;
import org.jooq.meta.jaxb.Database;
import org.jooq.meta.jaxb.Generate;
import org.jooq.meta.jaxb.Generator;
import org.jooq.meta.jaxb.Jdbc;
import org.jooq.meta.jaxb.Logging;
import org.jooq.meta.jaxb.SchemaMappingType;
import org.jooq.meta.jaxb.Target;

/** Generates the jOOQ types of a really migrated schema. Partitions do not appear, so the output depends on no date. */
final class SchemaTypes {

    private SchemaTypes() {}

    static void generate(String url, String user, String password, String schema, Path directory) throws Exception {
        GenerationTool.generate(new Configuration()
                .withLogging(Logging.WARN)
                .withJdbc(new Jdbc()
                        .withDriver("org.postgresql.Driver")
                        .withUrl(url)
                        .withUser(user)
                        .withPassword(password))
                .withGenerator(new Generator()
                        .withDatabase(new Database()
                                .withName("org.jooq.meta.postgres.PostgresDatabase")
                                .withSchemata(new SchemaMappingType()
                                        .withInputSchema(schema)
                                        .withOutputSchema("sweep"))
                                .withIncludes(".*")
                                .withExcludes("sweep_schema_history|task_(outcome_|failure_)?(all|[0-9].*)"
                                        + "|worker|maintenance_.*|partition_.*")
                                .withTableValuedFunctions(false)
                                .withIncludeRoutines(false)
                                .withIncludeSequences(false)
                                .withIncludeIndexes(false))
                        .withGenerate(new Generate()
                                .withGeneratedAnnotation(false)
                                .withRecords(false)
                                .withComments(false)
                                .withJavadoc(false)
                                .withSources(false)
                                .withGlobalCatalogReferences(false)
                                .withImplicitJoinPathsToOne(false))
                        .withTarget(new Target()
                                .withPackageName("dev.sweep.jooq.schema")
                                .withDirectory(directory.toString())
                                .withEncoding("UTF-8"))));
    }

    /** {@code SchemaTypes <url> <user> <password> <schema> <directory>} */
    public static void main(String[] args) throws Exception {
        generate(args[0], args[1], args[2], args[3], Path.of(args[4]));
    }
}
