package dev.sweep.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.sweep.it.architecture.bad.ApiThatKnowsJooq;
import dev.sweep.it.architecture.bad.ApiThatReachesForTheWorker;
import dev.sweep.it.architecture.bad.ApiThatSpeaksSql;
import dev.sweep.it.architecture.bad.cli.CommandThatIsUsed;
import dev.sweep.it.architecture.bad.event.EventThatStartsAThread;
import dev.sweep.it.architecture.bad.it.IntegrationTestThatIsUsed;
import dev.sweep.it.architecture.bad.jmh.BenchmarkThatIsUsed;
import dev.sweep.it.architecture.bad.jooq.StoreThatKnowsTheWorker;
import dev.sweep.it.architecture.bad.testing.ContractThatKnowsAStore;
import dev.sweep.it.architecture.bad.testing.TestThatIsDisabled;
import dev.sweep.it.architecture.bad.testing.TestThatSleeps;
import dev.sweep.it.architecture.bad.worker.WorkerThatKnowsAStore;
import dev.sweep.it.architecture.bad.worker.WorkerThatSpeaksSql;
import org.junit.jupiter.api.Test;

/** No rule is vacuous: each rejects the bad example that was made for it. */
final class BadExamplesTest {

    private static final Boundaries BAD = new Boundaries("dev.sweep.it.architecture.bad");

    @Test
    void apiThatSpeaksSqlIsRejected() {
        assertRejected(BAD.apiSpeaksNoSql(), ApiThatSpeaksSql.class);
    }

    @Test
    void apiThatKnowsJooqIsRejected() {
        assertRejected(BAD.apiKnowsNoDatabaseLibrary(), ApiThatKnowsJooq.class);
    }

    @Test
    void apiThatStartsAThreadIsRejected() {
        assertRejected(BAD.apiStartsNoThreads(), EventThatStartsAThread.class);
    }

    @Test
    void apiThatReachesForTheWorkerIsRejected() {
        assertRejected(BAD.apiDependsOnNoOtherModule(), ApiThatReachesForTheWorker.class);
    }

    @Test
    void workerThatSpeaksSqlIsRejected() {
        assertRejected(BAD.workerSpeaksNoSql(), WorkerThatSpeaksSql.class);
    }

    @Test
    void workerThatKnowsAStoreIsRejected() {
        assertRejected(BAD.workerDependsOnlyOnTheApi(), WorkerThatKnowsAStore.class);
    }

    @Test
    void storeThatKnowsTheWorkerIsRejected() {
        assertRejected(BAD.jooqDependsOnlyOnTheApi(), StoreThatKnowsTheWorker.class);
    }

    @Test
    void contractThatKnowsAStoreIsRejected() {
        assertRejected(BAD.testingDependsOnlyOnApiAndWorker(), ContractThatKnowsAStore.class);
    }

    @Test
    void commandThatIsUsedIsRejected() {
        assertRejected(BAD.nobodyDependsOnTheCommandLine(), CommandThatIsUsed.class, ContractThatKnowsAStore.class);
    }

    @Test
    void integrationTestThatIsUsedIsRejected() {
        assertRejected(
                BAD.nobodyDependsOnTheIntegrationTests(),
                IntegrationTestThatIsUsed.class,
                ContractThatKnowsAStore.class);
    }

    @Test
    void benchmarkThatIsUsedIsRejected() {
        assertRejected(BAD.nobodyDependsOnTheBenchmarks(), BenchmarkThatIsUsed.class, ContractThatKnowsAStore.class);
    }

    @Test
    void cycleOfPackagesIsRejected() {
        assertRejected(BAD.packagesFormNoCycle(), WorkerThatKnowsAStore.class, StoreThatKnowsTheWorker.class);
    }

    @Test
    void sleepIsRejected() {
        assertRejected(Habits.NOBODY_SLEEPS, TestThatSleeps.class);
    }

    @Test
    void disabledTestsAreRejected() {
        assertRejected(Habits.NO_TEST_CLASS_IS_DISABLED, TestThatIsDisabled.class);
        assertRejected(Habits.NO_TEST_METHOD_IS_DISABLED, TestThatSleeps.class);
    }

    private static void assertRejected(ArchRule rule, Class<?>... examples) {
        JavaClasses bad = new ClassFileImporter().importClasses(examples);
        assertThat(rule.evaluate(bad).hasViolation()).as(rule.getDescription()).isTrue();
    }
}
