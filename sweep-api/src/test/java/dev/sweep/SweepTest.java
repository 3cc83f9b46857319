package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sweep.spi.MigratableStore;
import dev.sweep.spi.PayloadCodec;
import dev.sweep.spi.TaskRecord;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SweepTest {

    private static final String MARKER = "SECRET-4711";
    private static final TaskType<Mail> MAIL = TaskType.of("mail", Mail.class);
    private static final TaskType<Json> JSON = TaskType.json("json");

    /** The caller's transaction is the store's business only: any call on it here is a fault. */
    private static final Connection UNTOUCHED = (Connection) Proxy.newProxyInstance(
            SweepTest.class.getClassLoader(), new Class<?>[] {Connection.class}, (self, method, args) -> {
                throw new AssertionError("Sweep called " + method.getName());
            });

    private final RecordingTaskStore store = new RecordingTaskStore();
    private final Sweep sweep = Sweep.create(store);

    record Mail(long userId, String address) {}

    @Nested
    class Enqueue {

        @Test
        void writesThePayloadAsJson() {
            Enqueued answer = sweep.enqueue(MAIL.with(new Mail(7, "a@b")));

            assertThat(answer).isEqualTo(new Enqueued(TaskId.of(1), true));
            assertThat(store.enqueued)
                    .extracting(TaskRecord::payload)
                    .containsExactly("{\"userId\":7,\"address\":\"a@b\"}");
            assertThat(store.transaction).isNull();
        }

        @Test
        void usesTheCallersTransactionWithoutTouchingIt() {
            sweep.enqueue(UNTOUCHED, MAIL.with(new Mail(7, "a@b")));
            sweep.enqueueAll(UNTOUCHED, List.of(MAIL.with(new Mail(8, "a@b"))));

            assertThat(store.enqueued).hasSize(2);
            assertThat(store.transaction).isSameAs(UNTOUCHED);
        }

        @Test
        void answersInTheOrderOfTheBatch() {
            List<Enqueued> answers = sweep.enqueueAll(IntStream.rangeClosed(1, 100)
                    .mapToObj(i -> MAIL.with(new Mail(i, "")))
                    .toList());

            assertThat(answers)
                    .extracting(answer -> answer.id().value())
                    .isSorted()
                    .hasSize(100);
            assertThat(store.calls).containsExactly("enqueue");
            assertThat(store.enqueued.get(41).payload()).contains("\"userId\":42");
        }

        @Test
        void aStreamIsReadAndStoredChunkByChunk() {
            AtomicInteger read = new AtomicInteger();
            List<Integer> chunks = new ArrayList<>();

            sweep.enqueueStream(
                    IntStream.range(0, 2_500)
                            .mapToObj(i -> MAIL.with(new Mail(i, "")))
                            .peek(task -> read.incrementAndGet()),
                    stored -> {
                        chunks.add(stored.size());
                        assertThat(read.get())
                                .as("tasks read when chunk %d is told", chunks.size())
                                .isLessThanOrEqualTo(1_000 * chunks.size() + 1);
                    });

            assertThat(chunks).containsExactly(1_000, 1_000, 500);
            assertThat(store.calls).containsExactly("enqueue", "enqueue", "enqueue");
            assertThat(store.enqueued).hasSize(2_500);
            assertThat(store.enqueued.get(1_741).payload()).contains("\"userId\":1741");
        }

        @Test
        void aStreamOfLargePayloadsHasShorterChunks() {
            String large = "x".repeat(900_000);
            List<Integer> chunks = new ArrayList<>();

            sweep.enqueueStream(
                    UNTOUCHED,
                    IntStream.range(0, 25).mapToObj(i -> MAIL.with(new Mail(i, large))),
                    written -> chunks.add(written.size()));

            assertThat(chunks).containsExactly(10, 10, 5);
            assertThat(store.transaction).isSameAs(UNTOUCHED);
        }

        @Test
        void aBadTaskInAStreamLeavesTheChunksBeforeIt() {
            List<Enqueued> told = new ArrayList<>();

            assertThatThrownBy(() -> sweep.enqueueStream(
                            IntStream.range(0, 2_000).mapToObj(i -> MAIL.with(new Mail(i, i == 1_500 ? "\u0000" : ""))),
                            told::addAll))
                    .isInstanceOf(InvalidPayloadException.class);

            assertThat(told).hasSize(1_000);
            assertThat(store.enqueued).hasSize(1_000);
        }

        @Test
        void anEmptyStreamDoesNotReachTheStore() {
            sweep.enqueueStream(Stream.empty(), stored -> {});
            assertThat(store.calls).isEmpty();
        }

        @Test
        void anEmptyBatchDoesNotReachTheStore() {
            assertThat(sweep.enqueueAll(List.of())).isEmpty();
            assertThat(sweep.enqueueAll(UNTOUCHED, List.of())).isEmpty();
            assertThat(store.calls).isEmpty();
        }

        @Test
        void nothingOfABatchReachesTheStoreIfOneTaskIsBad() {
            NewTask<Mail> good = MAIL.with(new Mail(7, "a@b"));
            NewTask<Mail> bad = MAIL.with(new Mail(7, MARKER + "\u0000"));

            for (List<NewTask<Mail>> batch :
                    List.of(List.of(bad, good), List.of(good, bad), List.of(good, bad, good))) {
                assertThatThrownBy(() -> sweep.enqueueAll(batch))
                        .isInstanceOf(InvalidPayloadException.class)
                        .hasMessageContainingAll("type mail", "NUL", "/address", "nothing was written")
                        .hasMessageNotContaining(MARKER)
                        .hasNoCause();
                assertThatThrownBy(() -> sweep.enqueueAll(UNTOUCHED, batch))
                        .isInstanceOf(InvalidPayloadException.class);
            }
            assertThat(store.calls).isEmpty();
        }

        @Test
        void aNullTaskIsRefused() {
            NewTask<Mail> good = MAIL.with(new Mail(7, "a@b"));

            assertThatThrownBy(() -> sweep.enqueue(null))
                    .isInstanceOf(InvalidTaskException.class)
                    .hasMessageContaining("task is null");
            assertThatThrownBy(() -> sweep.enqueueAll(Arrays.asList(good, null)))
                    .isInstanceOf(InvalidTaskException.class);
            assertThat(store.calls).isEmpty();
        }
    }

    @Nested
    class Payloads {

        @Test
        void jsonTextPassesAsItIs() {
            String text = " {\"b\" : 1.10, \"a\": null}";
            sweep.enqueue(JSON.with(Json.of(text)));

            assertThat(store.enqueued.get(0).payload()).isEqualTo(text);
            assertThat(sweep.codec().decode(text, Json.class)).isEqualTo(Json.of(text));
        }

        @Test
        void jsonTextIsCheckedLikeAnyPayload() {
            for (String text : new String[] {"", MARKER, "{} {}", "{\"a\": \"\\u0000\"}", "{\"n\": 1E200000}"}) {
                assertThatThrownBy(() -> sweep.enqueue(JSON.with(Json.of(text))))
                        .isInstanceOf(InvalidPayloadException.class)
                        .hasMessageNotContaining(MARKER)
                        .hasNoCause();
            }
            assertThat(store.calls).isEmpty();
        }

        @Test
        void whatACodecOfTheUsersOwnWritesIsCheckedToo() {
            Sweep own = Sweep.builder(store).codec(new ToStringCodec()).build();

            own.enqueue(TaskType.of("count", Integer.class).with(42));
            assertThat(store.enqueued.get(0).payload()).isEqualTo("42");
            assertThatThrownBy(
                            () -> own.enqueue(TaskType.of("text", String.class).with(MARKER)))
                    .isInstanceOf(InvalidPayloadException.class)
                    .hasMessageContaining("is not JSON")
                    .hasMessageNotContaining(MARKER);
            assertThat(own.codec().decode("{}", Json.class)).isEqualTo(Json.of("{}"));
        }

        @Test
        void theDefaultBoundIsOneMebibyte() {
            sweep.enqueue(JSON.with(Json.of("\"" + "x".repeat((1 << 20) - 2) + "\"")));

            assertThatThrownBy(() -> sweep.enqueue(JSON.with(Json.of("\"" + "x".repeat((1 << 20) - 1) + "\""))))
                    .isInstanceOf(InvalidPayloadException.class)
                    .hasMessageContainingAll("1048577 bytes", "at most 1048576", "maxPayloadBytes");
        }

        @Test
        void theBoundCanBeSet() {
            Sweep small = Sweep.builder(store).maxPayloadBytes(4).build();

            small.enqueue(JSON.with(Json.of("1234")));
            assertThatThrownBy(() -> small.enqueue(JSON.with(Json.of("12345")))).hasMessageContaining("at most 4");
        }

        /** No payload class: text as it is, JSON or not. */
        private static final class ToStringCodec implements PayloadCodec {
            @Override
            public String encode(Object payload) {
                return payload.toString();
            }

            @Override
            public <P> P decode(String json, Class<P> payloadClass) {
                throw new UnsupportedOperationException();
            }
        }
    }

    @Nested
    class Building {

        @ParameterizedTest
        @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 16_777_217, Integer.MAX_VALUE})
        void aPayloadBoundOutOfRangeIsRefused(int maxPayloadBytes) {
            assertThatThrownBy(() -> Sweep.builder(store)
                            .maxPayloadBytes(maxPayloadBytes)
                            .build())
                    .isInstanceOf(InvalidConfigurationException.class)
                    .hasMessageContainingAll(
                            "maxPayloadBytes " + maxPayloadBytes, "1 to 16777216", "keep larger data elsewhere");
        }

        @Test
        void thePayloadBoundIsOneByteToSixteenMebibytes() {
            assertThat(Sweep.builder(store).maxPayloadBytes(1).build()).isNotNull();
            assertThat(Sweep.builder(store).maxPayloadBytes(16_777_216).build()).isNotNull();
        }

        @Test
        void allFaultsAreToldAtOnce() {
            InvalidConfigurationException invalid = catchThrowableOfType(
                    InvalidConfigurationException.class,
                    () -> Sweep.builder(null).codec(null).maxPayloadBytes(0).build());

            assertThat(invalid.faults()).hasSize(3);
            assertThat(invalid).hasMessageContainingAll("store is null", "codec is null", "maxPayloadBytes 0");
        }
    }

    @Test
    void checkRefusesWhatEnqueueWouldRefuseAndWritesNothing() {
        sweep.check(MAIL.with(new Mail(7, "a@b")));

        assertThatThrownBy(() -> sweep.check(MAIL.with(new Mail(7, MARKER + "\u0000"))))
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageContaining("/address")
                .hasMessageNotContaining(MARKER);
        assertThat(store.calls).isEmpty();
    }

    @Test
    void migrateMigratesAStoreThatCan() {
        class Migratable extends RecordingTaskStore implements MigratableStore {
            @Override
            public void migrate() {
                calls.add("migrate");
            }
        }
        Migratable migratable = new Migratable();
        Sweep.create(migratable).migrate();

        assertThat(migratable.calls).containsExactly("migrate");
    }

    @Test
    void migrateLeavesOtherStoresAlone() {
        sweep.migrate();

        assertThat(store.calls).isEmpty();
    }

    @Test
    void theRestIsTheStores() {
        assertThat(sweep.find(TaskId.of(7))).isEmpty();
        assertThat(sweep.list(TaskQuery.newest().limit(3))).isEmpty();
        assertThat(sweep.counts()).isEmpty();
        assertThat(sweep.cancel(TaskId.of(7))).contains(TaskStatus.CANCELLED);
        sweep.pauseQueue("bulk");
        sweep.resumeQueue("bulk");
        sweep.close();

        assertThat(store.calls)
                .containsExactly("find 7", "list 3", "counts", "cancel 7", "pause bulk", "resume bulk", "close");
        assertThat(sweep.store()).isSameAs(store);
    }
}
