package dev.sweep.maintenance;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.InvalidConfigurationException;
import dev.sweep.jooq.JooqTaskStore;
import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class MaintenanceBuilderTest {

    /** Nothing is connected before a service starts. */
    private final MaintenanceBuilder builder =
            MaintenanceService.builder(JooqTaskStore.builder(nowhere()).build());

    @Test
    void allFaultsAreToldAtOnce() {
        builder.succeededFor(Duration.ofSeconds(-1))
                .deadLettersFor(Duration.ofDays(40_000))
                .leaseDuration(Duration.ZERO)
                .interval("old-tasks", Duration.ZERO)
                .interval("no-such-chore", Duration.ofHours(1))
                .without("neither")
                .name(" ");
        assertThatThrownBy(builder::build)
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContainingAll(
                        "succeededFor PT-1S is out of range; use PT0S to PT876000H",
                        "deadLettersFor PT960000H is out of range",
                        "leaseDuration PT0S is out of range; use PT0.3S to PT1H",
                        "interval of chore 'old-tasks' PT0S is out of range",
                        "there is no chore 'no-such-chore'; there are reclaim, ",
                        "there is no chore 'neither'",
                        "name ' ' has 1 characters");
    }

    @Test
    void twoChoresCanNotHaveOneName() {
        Chore twin = new TestChore("totals", Duration.ofHours(1), context -> ChoreResult.done(0));
        builder.chore(twin);
        assertThatThrownBy(builder::build).hasMessageContaining("two chores are named 'totals'");
    }

    @Test
    void whatIsNamedAsTheOnlyOneMustBeThere() {
        builder.only(List.of("totals", "soap"));
        assertThatThrownBy(builder::build).hasMessageContaining("there is no chore 'soap'");
    }

    private static DataSource nowhere() {
        return (DataSource) Proxy.newProxyInstance(
                MaintenanceBuilderTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    throw new SQLException("nowhere");
                });
    }
}
