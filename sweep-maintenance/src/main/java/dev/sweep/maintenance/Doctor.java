package dev.sweep.maintenance;

import dev.sweep.StoreUnavailableException;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks for what needs a person: a runway that ends, a horizon that is held, chores that fail, settings that hurt. Reads
 * only, each check in a short transaction of its own, so it can be asked at any time, also on a replica; needs no superuser,
 * and says what its role can't see. Thread-safe.
 */
public final class Doctor {

    private static final Limits LIMITS = Limits.patient(Duration.ofSeconds(5));

    private final StoreDatabase database;
    private final Clock clock;
    private final SchemaCheck schema;
    private final List<Check> checks;

    Doctor(StoreDatabase database, Clock clock, SchemaCheck schema, List<Check> checks) {
        this.database = database;
        this.clock = clock;
        this.schema = schema;
        this.checks = List.copyOf(checks);
    }

    public static Doctor of(JooqTaskStore store) {
        StoreDatabase database = store.database();
        Clock clock = Clock.systemUTC();
        return new Doctor(database, clock, new SchemaCheck(store), Checks.all(database, clock));
    }

    /**
     * Makes every check. One that fails is a finding, and stops no other; without a schema there is nothing else to look at.
     *
     * @throws StoreUnavailableException if the database can't be reached
     */
    public Diagnosis examine() {
        List<Finding> findings = new ArrayList<>(schema.examine());
        if (hasSchema()) {
            checks.forEach(check -> findings.addAll(examine(check)));
        }
        return new Diagnosis(clock.instant(), findings);
    }

    private List<Finding> examine(Check check) {
        Findings found = new Findings(check.name());
        try {
            return database.inTransaction(LIMITS, sql -> {
                sql.execute("set transaction read only");
                check.examine(sql, found);
                return found.all();
            });
        } catch (RuntimeException problem) {
            found.couldNotLook(problem);
            return found.all();
        }
    }

    private boolean hasSchema() {
        return database.inTransaction(
                LIMITS,
                sql -> sql.fetchSingle(new DoctorStatements(database).hasSchema())
                        .get(0, Boolean.class));
    }
}
