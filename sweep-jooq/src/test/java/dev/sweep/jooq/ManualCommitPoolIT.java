package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;

/** Many applications switch autocommit off for their whole pool; nothing that Sweep answers for may then be rolled back. */
class ManualCommitPoolIT {

    @Test
    void pausesAndResumesDurably() {
        try (StoreUnderTest test = StoreUnderTest.migrated("manual");
                HikariDataSource pool = new HikariDataSource(manualCommit(test));
                JooqTaskStore store =
                        JooqTaskStore.builder(pool).schema(test.schema).build()) {
            store.pauseQueue("default");
            assertThat(test.query("select name from sweep.queue")).containsExactly("default");
            store.resumeQueue("default");
            assertThat(test.query("select name from sweep.queue")).isEmpty();
        }
    }

    private static HikariConfig manualCommit(StoreUnderTest test) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(test.server.dataSource());
        config.setAutoCommit(false);
        config.setMinimumIdle(0);
        return config;
    }
}
