package dev.sweep.it.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Timer;
import java.util.concurrent.Executor;

/**
 * The arrows between the modules, as rules over the packages below a root: {@code dev.sweep}, or a small bad copy of it.
 */
record Boundaries(String root) {

    private static final String[] DATABASE_LIBRARIES = {
        "org.jooq..", "com.zaxxer.hikari..", "org.flywaydb..", "org.postgresql.."
    };

    /** An application's own transaction is a {@link Connection}; nothing else of JDBC is the API's business. */
    ArchRule apiSpeaksNoSql() {
        return noClasses()
                .that(resideInAnyPackage(api()))
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.sql..", "javax.sql..")
                        .and(not(assignableTo(Connection.class)))
                        .and(not(assignableTo(SQLException.class))));
    }

    ArchRule apiKnowsNoDatabaseLibrary() {
        return noClasses().that(resideInAnyPackage(api())).should().dependOnClassesThat(databaseLibrary());
    }

    ArchRule apiStartsNoThreads() {
        return noClasses()
                .that(resideInAnyPackage(api()))
                .should()
                .dependOnClassesThat(assignableTo(Thread.class)
                        .or(assignableTo(Executor.class))
                        .or(assignableTo(Timer.class)));
    }

    ArchRule apiDependsOnNoOtherModule() {
        return noClasses()
                .that(resideInAnyPackage(api()))
                .should()
                .dependOnClassesThat(resideInAPackage(root + "..").and(not(resideInAnyPackage(api()))));
    }

    /** A handler's transaction is a {@link Connection}, which the worker passes on from the store and never calls. */
    ArchRule workerSpeaksNoSql() {
        return noClasses()
                .that(resideInAPackage(root + ".worker.."))
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.sql..", "javax.sql..")
                        .and(not(type(Connection.class)))
                        .or(databaseLibrary()));
    }

    ArchRule workerDependsOnlyOnTheApi() {
        return dependsOnlyOn("worker");
    }

    ArchRule jooqDependsOnlyOnTheApi() {
        return dependsOnlyOn("jooq");
    }

    ArchRule partitioningDependsOnlyOnApiAndJooq() {
        return dependsOnlyOn("partitioning", "jooq");
    }

    ArchRule maintenanceDependsOnlyOnApiJooqAndPartitioning() {
        return dependsOnlyOn("maintenance", "jooq", "partitioning");
    }

    ArchRule testingDependsOnlyOnApiAndWorker() {
        return dependsOnlyOn("testing", "worker");
    }

    ArchRule nobodyDependsOnTheCommandLine() {
        return classes()
                .that(resideInAPackage(root + ".cli.."))
                .should()
                .onlyHaveDependentClassesThat(resideInAnyPackage(root + ".cli..", root + ".jmh..", root + ".it.."));
    }

    ArchRule nobodyDependsOnTheIntegrationTests() {
        return noClasses()
                .that(resideInAPackage(root + "..").and(not(resideInAPackage(root + ".it.."))))
                .should()
                .dependOnClassesThat(resideInAPackage(root + ".it.."));
    }

    ArchRule nobodyDependsOnTheBenchmarks() {
        return noClasses()
                .that(resideInAPackage(root + "..").and(not(resideInAPackage(root + ".jmh.."))))
                .should()
                .dependOnClassesThat(resideInAPackage(root + ".jmh.."));
    }

    /**
     * The API's three packages are one slice: stores and applications share its vocabulary. So are the generated types,
     * whose packages jOOQ ties together.
     */
    ArchRule packagesFormNoCycle() {
        return slices().assignedFrom(new PackageSlices(root)).should().beFreeOfCycles();
    }

    private ArchRule dependsOnlyOn(String module, String... others) {
        String[] allowed = Arrays.copyOf(others, others.length + 1);
        allowed[others.length] = module;
        String[] packages = Arrays.stream(allowed).map(this::module).toArray(String[]::new);
        return noClasses()
                .that(resideInAPackage(module(module)))
                .should()
                .dependOnClassesThat(resideInAPackage(root + "..")
                        .and(not(resideInAnyPackage(api())))
                        .and(not(resideInAnyPackage(packages))));
    }

    private static DescribedPredicate<JavaClass> databaseLibrary() {
        return resideInAnyPackage(DATABASE_LIBRARIES);
    }

    private String[] api() {
        return new String[] {root, root + ".event", root + ".spi"};
    }

    private String module(String name) {
        return root + "." + name + "..";
    }

    private record PackageSlices(String root) implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            String name = type.getPackageName();
            if (name.equals(root) || name.equals(root + ".event") || name.equals(root + ".spi")) {
                return SliceIdentifier.of("api");
            }
            if (name.startsWith(root + ".jooq.schema")) {
                return SliceIdentifier.of("generated types");
            }
            return name.startsWith(root + ".") ? SliceIdentifier.of(name) : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages of " + root;
        }
    }
}
