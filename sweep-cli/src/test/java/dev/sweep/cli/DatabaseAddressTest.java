package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseAddressTest {

    @Test
    void jdbcUrlStaysAsItIs() {
        assertThat(DatabaseAddress.parse("jdbc:postgresql://db:5433/app?ssl=true"))
                .isEqualTo(new DatabaseAddress("jdbc:postgresql://db:5433/app?ssl=true", null, null));
    }

    @Test
    void uriBecomesJdbcUrlAndLogin() {
        assertThat(DatabaseAddress.parse("postgresql://joe:p%40ss%3Aw+rd@db:5433/app?sslmode=require"))
                .isEqualTo(new DatabaseAddress("jdbc:postgresql://db:5433/app?sslmode=require", "joe", "p@ss:w+rd"));
        assertThat(DatabaseAddress.parse("postgres://joe@db/app"))
                .isEqualTo(new DatabaseAddress("jdbc:postgresql://db/app", "joe", null));
        assertThat(DatabaseAddress.parse("postgresql:///app"))
                .isEqualTo(new DatabaseAddress("jdbc:postgresql:///app", null, null));
        assertThat(DatabaseAddress.parse("postgresql://a:1,b:2/app").jdbcUrl())
                .isEqualTo("jdbc:postgresql://a:1,b:2/app");
    }

    @ParameterizedTest
    @ValueSource(strings = {"mysql://joe:secret@db/app", "db:5432/app", "postgresql:db", ""})
    void anythingElseIsRefusedWithoutQuotingAPassword(String url) {
        assertThatThrownBy(() -> DatabaseAddress.parse(url))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("use jdbc:postgresql://")
                .hasMessageNotContaining("secret");
    }

    @Test
    void textForPeopleHasNoPassword() {
        assertThat(new DatabaseAddress("jdbc:postgresql://db/app?user=joe&password=secret&ssl=true", "joe", "secret"))
                .hasToString("jdbc:postgresql://db/app?user=joe&password=...&ssl=true");
    }

    @Test
    void malformedPercentEncodingIsRefused() {
        assertThatThrownBy(() -> DatabaseAddress.parse("postgresql://joe:50%@db/app"))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("%25");
    }

    @Test
    void optionsWinOverTheEnvironmentAndThatOverTheUrl() {
        DatabaseAddress address = DatabaseAddress.parse("postgresql://joe:url@db/app");
        Map<String, String> environment = Map.of("SWEEP_USER", "env", "SWEEP_PASSWORD", "env", "PGUSER", "pg");

        assertThat(DatabaseOptions.login(address, "ann", null, environment))
                .isEqualTo(new DatabaseAddress("jdbc:postgresql://db/app", "ann", "env"));
        assertThat(DatabaseOptions.login(address, null, null, Map.of("PGUSER", "pg", "PGPASSWORD", "pg")))
                .isEqualTo(new DatabaseAddress("jdbc:postgresql://db/app", "joe", "url"));
        assertThat(DatabaseOptions.login(
                        DatabaseAddress.parse("postgresql://db/app"),
                        null,
                        null,
                        Map.of("PGUSER", "pg", "PGPASSWORD", "pg")))
                .isEqualTo(new DatabaseAddress("jdbc:postgresql://db/app", "pg", "pg"));
    }

    @Test
    void environmentNamesDatabaseAndSchema() {
        DatabaseOptions options = new DatabaseOptions();
        Map<String, String> environment = Map.of("SWEEP_URL", "jdbc:postgresql://db/app", "SWEEP_SCHEMA", "other");

        assertThat(options.address(environment).jdbcUrl()).isEqualTo("jdbc:postgresql://db/app");
        assertThat(options.schema(environment)).isEqualTo("other");
        assertThat(options.schema(Map.of())).isEqualTo("sweep");
        assertThatThrownBy(() -> options.address(Map.of()))
                .hasMessageContaining("--url")
                .hasMessageContaining("SWEEP_URL");
    }
}
