package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.sweep.jooq.JooqTaskStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every {@link HotStatement} in every {@link PlanScenario}: it searches the indexes that it is meant to search, reads no table
 * from end to end, and no more rows and buffers than it promises. {@code -Pscale} does so with millions of tasks.
 */
class PlansIT {

    /** The driver prepares what it has run four times; PostgreSQL keeps a plan of what was then run five times. */
    private static final int RUNS_UNTIL_PLANNED = 12;

    /** The first version whose sessions tell when they are asked to. */
    private static final int FORCES_FLUSH = 150_000;

    private final Database db = Database.named("plans");
    private final TableCounters counters = new TableCounters(db);

    @AfterEach
    void drop() {
        db.store.close();
        db.drop();
    }

    @ParameterizedTest
    @EnumSource
    void readsNoMoreThanPromised(PlanScenario scenario) {
        db.open();
        db.store = db.newStore();
        assumeThat(scenario.isPlannedBefore() && db.server.versionNum() < FORCES_FLUSH)
                .isFalse();
        scenario.shape(db);
        List<String> broken = new ArrayList<>();
        if (scenario.isPlannedBefore()) {
            try (CountedStore planned = plannedOnNothing(scenario)) {
                scenario.fill(db);
                for (HotStatement statement : HotStatement.values()) {
                    judge(
                            scenario,
                            statement,
                            counters.during(planned, HotWork.prepared(db, statement, HotStatement.BATCH)),
                            broken);
                }
            }
        } else {
            scenario.fill(db);
            for (HotStatement statement : HotStatement.values()) {
                Consumer<JooqTaskStore> prepared = HotWork.prepared(db, statement, HotStatement.BATCH);
                judge(scenario, statement, counters.during(prepared, scenario.settings), broken);
            }
        }
        assertThat(broken).isEmpty();
    }

    /** As autovacuum leaves a queue at rest: known to be next to empty, on a page or two. */
    private CountedStore plannedOnNothing(PlanScenario scenario) {
        for (HotStatement statement : HotStatement.values()) {
            HotWork.prepared(db, statement, 1).accept(db.store);
        }
        db.execute("vacuum analyze");
        CountedStore planned = CountedStore.open(db, scenario.settings);
        for (HotStatement statement : HotStatement.values()) {
            for (int run = 0; run < RUNS_UNTIL_PLANNED; run++) {
                HotWork.prepared(db, statement, 1).accept(planned.store());
            }
        }
        return planned;
    }

    private static void judge(
            PlanScenario scenario, HotStatement statement, TableCounters.Touched touched, List<String> broken) {
        System.out.printf(
                "plans: %,d waiting, %,d finished, %s: %s reads %,d rows, %,d buffers%n",
                scenario.waiting, scenario.finished, scenario, statement, touched.rows(), touched.buffers());
        statement.faults(scenario, touched).forEach(fault -> broken.add(scenario + ", " + statement + ": " + fault));
    }
}
