package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sweep.InvalidConfigurationException;
import dev.sweep.Json;
import dev.sweep.SchemaException;
import dev.sweep.StoreUnavailableException;
import dev.sweep.Sweep;
import dev.sweep.TaskType;
import dev.sweep.testing.PostgresServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaMigrationIT {

    private static final TaskType<Json> TYPE = TaskType.json("t");
    private final PostgresServer server = PostgresServer.shared();

    @Nested
    class Migrate {

        @Test
        void changesNothingWhenRepeated() {
            try (StoreUnderTest test = StoreUnderTest.migrated("repeat")) {
                List<Object> before = test.query("select installed_on::text from sweep.sweep_schema_history");
                test.store.migrate();
                assertThat(test.query("select installed_on::text from sweep.sweep_schema_history"))
                        .isEqualTo(before);
                assertThatCode(test.store::verify).doesNotThrowAnyException();
            }
        }

        @Test
        void succeedsForEachOfManyProcessesAtOnce() throws Exception {
            int processes = 12;
            String schema = server.newSchemaName("many");
            ExecutorService threads = Executors.newFixedThreadPool(processes);
            CyclicBarrier barrier = new CyclicBarrier(processes);
            try (StoreUnderTest test = StoreUnderTest.unmigrated(server, schema)) {
                Callable<Boolean> oneProcess = () -> {
                    try (JooqTaskStore store =
                            JooqTaskStore.builder(test.source).schema(schema).build()) {
                        barrier.await();
                        store.migrate();
                        store.verify();
                        return true;
                    }
                };
                List<Future<Boolean>> all = threads.invokeAll(
                        IntStream.range(0, processes).mapToObj(i -> oneProcess).toList());
                for (Future<Boolean> one : all) {
                    assertThat(one.get()).isTrue();
                }
                assertThat(test.query("select version from sweep.sweep_schema_history where success order by version"))
                        .containsExactly("001", "002", "003", "004", "005", "006");
            } finally {
                threads.shutdownNow();
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"Sweep-\"B\"", "it's", "select", "schöner name", "back\\slash"})
        void takesAnyLegalIdentifierAsSchema(String name) {
            String schema = name + server.newSchemaName("q").substring(7);
            try (StoreUnderTest test = StoreUnderTest.unmigrated(server, schema)) {
                test.store.migrate();
                test.store.verify();
                var first = test.sweep.enqueue(TYPE.with(Json.of("{}")).dedupKey("k"));
                var second = test.sweep.enqueue(TYPE.with(Json.of("{}")).dedupKey("k"));
                assertThat(second.id()).isEqualTo(first.id());
                assertThat(test.sweep.find(first.id())).isPresent();
                assertThat(test.sweep.cancel(first.id())).isPresent();
                assertThat(test.sweep.counts()).hasSize(5);
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "  ",
                    "pg_mine",
                    "a\0b",
                    "a234567890b234567890c234567890d234567890e234567890f234567890g234"
                })
        void refusesANameThatIsNone(String name) {
            assertThatThrownBy(() -> JooqTaskStore.builder(server.dataSource()).schema(name))
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContaining("63");
        }

        @Test
        void keepsTwoInstallationsInOneDatabaseApart() {
            try (StoreUnderTest a = StoreUnderTest.migrated("a");
                    StoreUnderTest b = StoreUnderTest.migrated("b")) {
                a.sweep.enqueue(TYPE.with(Json.of("{}")).dedupKey("same"));
                assertThat(b.sweep
                                .enqueue(TYPE.with(Json.of("{}")).dedupKey("same"))
                                .isNew())
                        .isTrue();
                a.server.dropSchema(a.schema);
                assertThatCode(b.store::verify).doesNotThrowAnyException();
                assertThat(b.count("sweep.tasks")).isEqualTo(1);
            }
        }
    }

    @Nested
    class BesideTheApplicationsOwnFlyway {

        @Test
        void bothWorkInOneSchemaInAnyOrder(@TempDir Path migrations) throws Exception {
            Files.writeString(migrations.resolve("V1__app.sql"), "create table app_customer (id int);");
            for (boolean appFirst : new boolean[] {true, false}) {
                String schema = server.newSchemaName("app");
                try (StoreUnderTest test = StoreUnderTest.unmigrated(server, schema)) {
                    Flyway app = Flyway.configure()
                            .dataSource(test.source)
                            .locations("filesystem:" + migrations)
                            .schemas(schema)
                            .baselineOnMigrate(true)
                            .baselineVersion("0")
                            .load();
                    if (appFirst) {
                        app.migrate();
                        test.store.migrate();
                    } else {
                        test.store.migrate();
                        app.migrate();
                    }
                    assertThatCode(app::validate).doesNotThrowAnyException();
                    assertThatCode(test.store::verify).doesNotThrowAnyException();
                    test.store.migrate();
                    assertThat(app.info().pending()).isEmpty();
                }
            }
        }
    }

    @Nested
    class Verify {

        @Test
        void saysHowToMakeAMissingSchema() {
            try (StoreUnderTest test = StoreUnderTest.unmigrated(server, server.newSchemaName("none"))) {
                assertThatThrownBy(test.store::verify)
                        .isInstanceOf(SchemaException.class)
                        .hasMessageContaining("run `sweep migrate`");
                assertThatThrownBy(() -> test.sweep.enqueue(TYPE.with(Json.of("{}"))))
                        .isInstanceOf(SchemaException.class)
                        .hasMessageContaining("run `sweep migrate`");
            }
        }

        @Test
        void refusesASchemaThatIsOlderThanTheCodeNeeds() {
            try (StoreUnderTest test = StoreUnderTest.migrated("old")) {
                test.execute("update sweep.schema_info set version = 0");
                assertThatThrownBy(test.store::verify)
                        .isInstanceOf(SchemaException.class)
                        .hasMessageContaining("has version 0, this code needs 1; run `sweep migrate`");
            }
        }

        @Test
        void acceptsANewerSchemaUntilItAsksForNewerCode() {
            try (StoreUnderTest test = StoreUnderTest.migrated("new")) {
                test.execute("update sweep.schema_info set version = 99");
                assertThatCode(test.store::verify).doesNotThrowAnyException();
                test.execute("update sweep.schema_info set min_code_version = 7");
                assertThatThrownBy(test.store::verify)
                        .isInstanceOf(SchemaException.class)
                        .hasMessageContaining("needs code of version 7, this is 1; upgrade Sweep");
            }
        }

        @Test
        void namesMissingAndInvalidIndexes() {
            try (StoreUnderTest test = StoreUnderTest.migrated("index")) {
                test.execute("drop index sweep.task_ready_lost");
                assertThatThrownBy(test.store::verify)
                        .isInstanceOf(SchemaException.class)
                        .hasMessageContaining("missing [task_ready_lost]");
            }
        }

        @Test
        void tellsAnUnreachableDatabaseFromAFaultyOne() {
            try (var nowhere = PooledDataSource.open("jdbc:postgresql://127.0.0.1:1/none", "nobody", "", 1);
                    Sweep sweep = Sweep.create(JooqTaskStore.builder(nowhere).build())) {
                nowhere.setConnectionTimeout(300);
                assertThatThrownBy(() -> sweep.store().verify())
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("Connection to 127.0.0.1:1 refused");
                assertThatThrownBy(() -> sweep.enqueue(TYPE.with(Json.of("{}"))))
                        .isInstanceOf(StoreUnavailableException.class);
            }
        }
    }
}
