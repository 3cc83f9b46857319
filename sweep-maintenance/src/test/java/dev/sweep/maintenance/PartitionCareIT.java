package dev.sweep.maintenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.StoreException;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.maintenance.MaintenanceEvent.PartitionsRunShort;
import dev.sweep.partitioning.CalendarPeriod;
import dev.sweep.partitioning.PartitionManager;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PartitionCareIT {

    private final Installation db = Installation.named("care");
    private final List<MaintenanceEvent> heard = new ArrayList<>();
    private final PartitionCare care =
            new PartitionCare(UnaryOperator.identity(), new MaintenanceEvents("m-1", List.of(heard::add)));

    @AfterEach
    void close() {
        db.close();
    }

    @Test
    void whatIsMissingIsCreatedWithoutAnAlarm() {
        PartitionManager partitions = PartitionManager.of(db.store);
        partitions.enable(CalendarPeriod.WEEK);
        dropAllAhead();

        assertThat(db.run(care).rows()).isEqualTo(4);

        assertThat(partitions.state().runway()).hasValue(4);
        assertThat(heard).isEmpty();
        assertThat(db.run(care)).isEqualTo(ChoreResult.done(0));
    }

    @Test
    void whoMayNotCreateThemRaisesTheAlarm() {
        PartitionManager.of(db.store).enable(CalendarPeriod.WEEK);
        dropAllAhead();
        String role = db.schema + "_poor";
        db.execute("create role \"" + role + "\" login password 'poor'");
        try {
            db.execute("grant usage on schema " + db.store.database().quotedSchema() + " to \"" + role + '"');
            db.execute("grant select on sweep.partition_plan to \"" + role + '"');
            JooqTaskStore poor =
                    JooqTaskStore.builder(as(role)).schema(db.schema).build();

            assertThatThrownBy(() -> care.createAhead(poor))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("permission denied");

            assertThat(heard).containsExactly(new PartitionsRunShort("m-1", 0));
            poor.close();
        } finally {
            db.execute("drop owned by \"" + role + '"');
            db.execute("drop role \"" + role + '"');
        }
    }

    private void dropAllAhead() {
        String present = CalendarPeriod.WEEK
                .rangeOf(((java.sql.Timestamp)
                                db.query("select clock_timestamp()").get(0))
                        .toInstant())
                .name();
        for (String table : List.of("task", "task_failure", "task_outcome")) {
            db.query(
                            "select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'sweep."
                                    + table + "'::regclass and c.relname > '" + table + "_" + present
                                    + "' and c.relname <> '"
                                    + table + "_all'")
                    .forEach(leaf -> db.execute("drop table sweep." + leaf));
        }
    }

    private CuttableSource as(String role) {
        return new CuttableSource(db.server.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                return getConnection(role, "poor");
            }
        };
    }
}
