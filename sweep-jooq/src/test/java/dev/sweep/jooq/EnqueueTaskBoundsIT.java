package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Through SQL the same bounds hold as in Java: named, with the value and the remedy, before anything is written. */
class EnqueueTaskBoundsIT {

    private static StoreUnderTest test;

    @BeforeAll
    static void migrate() {
        test = StoreUnderTest.migrated("sql_bounds");
    }

    @AfterAll
    static void drop() {
        test.close();
    }

    @ParameterizedTest
    @CsvSource(delimiterString = "%%", textBlock = """
                't', 'null'                                                %% payload is null; pass JSON
                't', null                                                  %% payload is null; pass JSON
                't', (repeat('[', 501) || repeat(']', 501))::jsonb         %% nested deeper than 500 levels
                't', (repeat('{"a":', 501) || '1' || repeat('}', 501))::jsonb %% nested deeper than 500 levels
                't', repeat('9', 1001)::jsonb                              %% a number of more than 1000 digits
                't', '[1e1000, 1]'                                         %% a number of more than 1000 digits
                't', ('{"a": [0.' || repeat('3', 1000) || ']}')::jsonb     %% a number of more than 1000 digits
                't', to_jsonb(repeat('x', 1048577))                        %% has 1048579 bytes; at most 1048576
                repeat('x', 201), '{}'                                     %% xxxx' (201 bytes) is out of bounds; use 1 to 200
                ' ', '{}'                                                  %% type ' ' (1 bytes) is out of bounds
                null, '{}'                                                 %% type NULL (0 bytes) is out of bounds
                't', '{}', ''                                              %% dedup_key '' (0 bytes) is out of bounds
                't', '{}', repeat('k', 1025)                               %% (1025 bytes) is out of bounds; use 1 to 1024
                't', '{}', queue => ' '                                    %% queue ' ' (1 bytes) is out of bounds
                't', '{}', priority => 0                                   %% priority 0 is out of range; use 1 to 10
                't', '{}', priority => 11                                  %% priority 11 is out of range; use 1 to 10
                't', '{}', max_retries => -1                               %% max_retries -1 is out of range; use 0 to
                't', '{}', due_at => 'infinity'                            %% due_at infinity is out of range
                """)
    void refusesWithTheValueTheBoundAndTheRemedy(String arguments, String message) {
        assertThatThrownBy(() -> test.query("select sweep.enqueue_task(" + arguments + ")"))
                .hasMessageContaining(message);
        assertThat(test.count("sweep.task")).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'t', (repeat('[', 500) || repeat(']', 500))::jsonb",
                "'t', repeat('9', 1000)::jsonb",
                "'t', '1e999'",
                "'t', ('{\"a\\\"1\": \"' || repeat('1', 5000) || '\\\\\"}')::jsonb",
                "'t', '{}', repeat('k', 1024)",
                "repeat('x', 200), '{}', max_retries => 0, priority => 10"
            })
    void acceptsWhatIsJustWithinTheBounds(String arguments) {
        assertThat(test.query("select sweep.enqueue_task(" + arguments + ")")).hasSize(1);
        test.execute("truncate sweep.task, sweep.task_ready, sweep.task_key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "-1", "999999999"})
    void namesASettingThatIsNone(String setting) {
        String sql = "select set_config('sweep' || '.max_payload_bytes', '" + setting + "', true),"
                + " sweep.enqueue_task('t', '{}')";
        assertThatThrownBy(() -> test.query(sql)).hasMessageContaining("sweep.max_payload_bytes is '" + setting + "'");
    }
}
