package dev.sweep.it.architecture.bad.testing;

import dev.sweep.it.architecture.bad.cli.CommandThatIsUsed;
import dev.sweep.it.architecture.bad.it.IntegrationTestThatIsUsed;
import dev.sweep.it.architecture.bad.jmh.BenchmarkThatIsUsed;
import dev.sweep.it.architecture.bad.jooq.StoreThatKnowsTheWorker;

public record ContractThatKnowsAStore(
        StoreThatKnowsTheWorker store,
        CommandThatIsUsed command,
        IntegrationTestThatIsUsed test,
        BenchmarkThatIsUsed benchmark) {}
