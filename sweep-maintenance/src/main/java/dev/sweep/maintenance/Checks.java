package dev.sweep.maintenance;

import dev.sweep.jooq.StoreDatabase;
import java.time.Clock;
import java.util.List;

/** What the {@link Doctor} looks at once there is a schema, in the order of its report. */
final class Checks {

    private Checks() {}

    static List<Check> all(StoreDatabase database, Clock clock) {
        DoctorStatements statements = new DoctorStatements(database);
        return List.of(
                new IndexCheck(statements),
                new PartitionCheck(statements),
                new StragglerCheck(statements, new MaintenanceStatements(database)),
                new WaitingCheck(statements),
                new TypeCheck(statements),
                new LeaseCheck(statements),
                new OrphanCheck(statements),
                new ChoreCheck(statements),
                new HorizonCheck(statements, HorizonCheck.Bounds.DEFAULT),
                new DeadRowsCheck(statements),
                new StatisticsCheck(statements),
                new WakeUpCheck(statements),
                new ClockCheck(statements, clock),
                new SettingsCheck(statements));
    }
}
