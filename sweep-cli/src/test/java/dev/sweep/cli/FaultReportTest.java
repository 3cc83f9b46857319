package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.InvalidConfigurationException;
import dev.sweep.InvalidPayloadException;
import dev.sweep.InvalidTaskException;
import dev.sweep.SchemaException;
import dev.sweep.StoreException;
import dev.sweep.StoreUnavailableException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultReportTest {

    @Test
    void everyReactionHasItsExitCode() {
        assertThat(FaultReport.exitCode(new InvalidTaskException("x"))).isEqualTo(2);
        assertThat(FaultReport.exitCode(new InvalidPayloadException("x"))).isEqualTo(2);
        assertThat(FaultReport.exitCode(new InvalidConfigurationException(List.of("x"))))
                .isEqualTo(2);
        assertThat(FaultReport.exitCode(new StoreUnavailableException("x"))).isEqualTo(3);
        assertThat(FaultReport.exitCode(new SchemaException("x"))).isEqualTo(4);
        assertThat(FaultReport.exitCode(new StoreException("x"))).isEqualTo(1);
        assertThat(FaultReport.exitCode(new IllegalStateException("x"))).isEqualTo(1);
        assertThat(FaultReport.exitCode(new SQLException("x", "08006"))).isEqualTo(3);
        assertThat(FaultReport.exitCode(new RuntimeException(new SQLException("x", "42P01"))))
                .isEqualTo(4);
    }

    @Test
    void databaseErrorsAreToldWithoutTheLinesThatMayQuoteData() {
        SQLException error = new SQLException("ERROR: duplicate key\n  Detail: Key (x)=(secret) exists.", "23505");

        assertThat(FaultReport.message(error)).contains("duplicate key").doesNotContain("secret");
    }

    @Test
    void unknownErrorsNameTheirClass() {
        assertThat(FaultReport.message(new IllegalStateException("odd"))).contains("IllegalStateException: odd");
    }
}
