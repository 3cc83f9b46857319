package dev.sweep.maintenance;

import static dev.sweep.maintenance.Installation.daysAgo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A task whose partition can't be seen now may be live: nobody may think that its key protects nothing. */
class KeysOfHiddenTasksIT {

    private final Installation db = Installation.named("hidden_keys");
    private final KeyPurger purger = new KeyPurger();

    @BeforeEach
    void fill() {
        db.cutAt(daysAgo(15), "maxvalue");
        db.ended("hidden-", 1, "30 days", "29 days", "succeeded");
        db.ended("open-", 1, "3 days", "2 days", "succeeded");
        db.execute("insert into sweep.task_key (key, id) values ('ownerless', 42)");
    }

    @AfterEach
    void close() {
        db.close();
    }

    @Test
    void theyStayWhileADetachIsUnfinished() throws SQLException {
        try (Connection reader = db.source.getConnection();
                Connection detacher = db.source.getConnection();
                Statement read = reader.createStatement();
                Statement detach = detacher.createStatement()) {
            reader.setAutoCommit(false);
            read.execute(db.inSchema("select from sweep.task"));
            detach.execute("set lock_timeout = '200ms'");
            assertThatThrownBy(() -> detach.execute(
                            db.inSchema("alter table sweep.task detach partition sweep.task_all concurrently")))
                    .hasMessageContaining("lock timeout");
            detach.execute("reset lock_timeout");
            reader.rollback();
        }
        assertAllKeysStay();

        db.execute("alter table sweep.task detach partition sweep.task_all finalize");
        assertAllKeysStay();
    }

    @Test
    void theyStayUntilItIsDecidedWhetherARangeComesBack() {
        for (String table : List.of("task", "task_failure", "task_outcome")) {
            db.execute("alter table sweep." + table + " detach partition sweep." + table + "_all");
        }
        db.execute("insert into sweep.partition_retired (name, lower_at, upper_at, stage)"
                + " values ('all', '-infinity', now() - interval '15 days', 'chosen')");
        assertAllKeysStay();

        db.execute("update sweep.partition_retired set stage = 'returning'");
        assertAllKeysStay();

        db.execute("update sweep.partition_retired set stage = 'dropped'");
        assertThat(db.run(purger).rows()).isEqualTo(2);
        assertThat(db.query("select key from sweep.task_key")).containsExactly("open-1");
    }

    @Test
    void theyStayAlsoIfOnlyTheFailuresTellThatTheRangeIsInUse() {
        db.execute("alter table sweep.task detach partition sweep.task_all");
        db.execute("alter table sweep.task_outcome detach partition sweep.task_outcome_all");

        assertAllKeysStay();
    }

    @Test
    void whatIsSeenToHaveEndedGoesMeanwhile() {
        db.execute("alter table sweep.task detach partition sweep.task_all");
        db.execute("update sweep.task_key set until_finished = true where key = 'open-1'");

        assertThat(db.run(purger).rows()).isEqualTo(1);

        assertThat(db.query("select key from sweep.task_key order by key")).containsExactly("hidden-1", "ownerless");
    }

    private void assertAllKeysStay() {
        assertThat(db.run(purger).rows()).isZero();
        assertThat(db.query("select key from sweep.task_key order by key"))
                .containsExactly("hidden-1", "open-1", "ownerless");
        assertThat(db.query("select sweep.enqueue_task('t', '{}', 'hidden-1')"))
                .as("whom an enqueue is told of")
                .isEqualTo(db.query("select id from sweep.task_all where dedup_key = 'hidden-1'"));
    }
}
