package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.Json;
import dev.sweep.TaskType;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Functions of ours find their tables, functions and operators, whatever schema the caller searches first. */
class HostileSearchPathIT {

    @RegisterExtension
    static final Database db = Database.named("hostile");

    private String evil;

    @BeforeEach
    void setTraps() {
        evil = "evil_" + db.schema;
        db.execute("create schema " + evil);
        for (String operator : new String[] {"=", "<>", "<", ">", "<=", ">="}) {
            trap("bigint", operator, "boolean");
            trap("text", operator, "boolean");
            trap("timestamptz", operator, "boolean");
        }
        trap("bigint", "+", "bigint");
        trap("bigint", "-", "bigint");
        trap("bigint", "<<", "bigint");
        trap("bigint", "|", "bigint");
        db.execute("create function " + evil + ".id_at(timestamptz, bigint) returns bigint language plpgsql as"
                + " 'begin raise ''trapped''; end'");
        db.execute("create function " + evil + ".clock_timestamp() returns timestamptz language plpgsql as"
                + " 'begin raise ''trapped''; end'");
        db.execute("create table " + evil + ".task_ready (like sweep.task_ready)");
        db.execute("create table " + evil + ".task_key (like sweep.task_key)");
    }

    private void trap(String type, String operator, String answer) {
        String function = evil + ".\"trap_" + type + operator + "\"";
        db.execute("create function " + function + "(" + type + ", " + type + ") returns " + answer
                + " language plpgsql as 'begin raise ''trapped''; end'");
        db.execute("create operator " + evil + "." + operator + " (function = " + function + ", leftarg = " + type
                + ", rightarg = " + type + ")");
    }

    @AfterEach
    void removeTraps() {
        db.execute("drop schema " + evil + " cascade");
    }

    @Test
    void everyFunctionOfOursHasItsOwnSearchPathOrWasBoundWhenItWasCreated() {
        assertThat(db.query("""
                select p.oid::regprocedure::text from pg_proc p
                where p.pronamespace = '%s'::regnamespace and p.prosqlbody is null
                  and not exists (select from unnest(p.proconfig) c where c = 'search_path=pg_catalog, pg_temp')
                """.formatted(db.schema))).isEmpty();
        assertThat(db.query("select proname::text from pg_proc where pronamespace = '" + db.schema
                        + "'::regnamespace and prosecdef"))
                .isEmpty();
    }

    @Test
    void noTrapIsSprung() throws SQLException {
        try (Connection caller = db.source.getConnection()) {
            caller.setAutoCommit(false);
            db.execute(caller, "create temporary table task_ready (id bigint)");
            db.execute(caller, "create temporary table task_key (key text)");
            db.execute(caller, "set local search_path = pg_temp, " + evil + ", pg_catalog");
            Long id = (Long)
                    db.query(caller, "select sweep.enqueue_task('t', '{\"a\": 1}', dedup_key => 'k', priority => 3)")
                            .get(0);
            assertThat(db.query(caller, "select sweep.enqueue_task('t', '{}', dedup_key => 'k')"))
                    .containsExactly(id);
            db.sweep.enqueue(caller, TaskType.json("t").with(Json.of("{}")).dedupKey("k"));
            assertThat(db.query(caller, "select sweep.reprioritise_task(" + id + ", 9)"))
                    .containsExactly("pending");
            assertThat(db.query(caller, "select sweep.reschedule_task(" + id + ", pg_catalog.now())"))
                    .containsExactly("pending");
            assertThat(db.query(caller, "select sweep.cancel_task(" + id + ")")).containsExactly("cancelled");
            Long again = (Long)
                    db.query(caller, "select sweep.requeue_task(" + id + ")").get(0);
            assertThat(again).isNotNull();
            assertThat(db.query(caller, "select status from sweep.tasks")).containsExactly("pending");
            assertThat(db.query(caller, "select status from sweep.task_stats")).hasSize(5);
            assertThat(db.query(caller, "select sweep.pause_queue('q')")).containsExactly(true);
            assertThat(db.query(caller, "select sweep.resume_queue('q')")).containsExactly(true);
            assertThat(db.query(caller, "select pg_catalog.count(*) from pg_temp.task_ready"))
                    .containsExactly(0L);

            // The traps are armed.
            assertThatThrownBy(() -> db.query(caller, "select 1::bigint = 1::bigint"))
                    .hasMessageContaining("trapped");
            caller.rollback();
        }
    }
}
