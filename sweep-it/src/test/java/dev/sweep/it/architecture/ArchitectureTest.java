package dev.sweep.it.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;

/** The project keeps the boundaries between its modules. */
final class ArchitectureTest {

    private static final JavaClasses MAIN = ProjectTree.mainClasses();
    private static final Boundaries SWEEP = new Boundaries("dev.sweep");

    @Test
    void apiSpeaksNoSql() {
        SWEEP.apiSpeaksNoSql().check(MAIN);
    }

    @Test
    void apiKnowsNoDatabaseLibrary() {
        SWEEP.apiKnowsNoDatabaseLibrary().check(MAIN);
    }

    @Test
    void apiStartsNoThreads() {
        SWEEP.apiStartsNoThreads().check(MAIN);
    }

    @Test
    void apiDependsOnNoOtherModule() {
        SWEEP.apiDependsOnNoOtherModule().check(MAIN);
    }

    @Test
    void workerSpeaksNoSql() {
        SWEEP.workerSpeaksNoSql().check(MAIN);
    }

    @Test
    void workerDependsOnlyOnTheApi() {
        SWEEP.workerDependsOnlyOnTheApi().check(MAIN);
    }

    @Test
    void jooqDependsOnlyOnTheApi() {
        SWEEP.jooqDependsOnlyOnTheApi().check(MAIN);
    }

    @Test
    void partitioningDependsOnlyOnApiAndJooq() {
        SWEEP.partitioningDependsOnlyOnApiAndJooq().check(MAIN);
    }

    @Test
    void maintenanceDependsOnlyOnApiJooqAndPartitioning() {
        SWEEP.maintenanceDependsOnlyOnApiJooqAndPartitioning().check(MAIN);
    }

    @Test
    void testingDependsOnlyOnApiAndWorker() {
        SWEEP.testingDependsOnlyOnApiAndWorker().check(MAIN);
    }

    @Test
    void nobodyDependsOnTheCommandLine() {
        SWEEP.nobodyDependsOnTheCommandLine().check(ProjectTree.allClasses());
    }

    @Test
    void nobodyDependsOnTheIntegrationTests() {
        SWEEP.nobodyDependsOnTheIntegrationTests().check(ProjectTree.allClasses());
    }

    @Test
    void nobodyDependsOnTheBenchmarks() {
        SWEEP.nobodyDependsOnTheBenchmarks().check(ProjectTree.allClasses());
    }

    @Test
    void packagesFormNoCycle() {
        SWEEP.packagesFormNoCycle().check(MAIN);
    }
}
