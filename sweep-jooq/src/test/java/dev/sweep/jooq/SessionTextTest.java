package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "set app.tenant = '7'",
                "SET SESSION app.tenant TO '7'",
                "set \"app\".\"tenant\" = 7",
                "select 1; set app.tenant='7'",
                "reset app.tenant",
                "reset all",
                "/* now */ reset all",
                "select 1;\n  discard all",
                "select set_config('app.tenant', ?, false)",
                "select set_config(?, ?, ?)",
                "do $$ begin perform set_config('app.tenant', '7', false); end $$",
                "select set_config('a.b', '1', true), set_config('a.b', '1', false)",
            })
    void mayOutliveTheTransaction(String sql) {
        assertThat(SessionText.mayChangeCustomSettings(sql)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "set local app.tenant = '7'",
                "select set_config('app.tenant', ?, true)",
                "select set_config('app.tenant', ?::text, TRUE), set_config('a.b', '1', true)",
                "update account set balance = balance + 1",
                "update account a set balance = b.balance from b",
                "insert into t (reset, discard) values (1, 2)",
                "select reset from t",
                "set statement_timeout = '1s'",
            })
    void endsWithTheTransactionOrIsSeenByTheServer(String sql) {
        assertThat(SessionText.mayChangeCustomSettings(sql)).isFalse();
    }
}
