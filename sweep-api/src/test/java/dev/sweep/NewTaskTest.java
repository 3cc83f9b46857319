package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewTaskTest {

    private static final String MARKER = "SECRET-4711";
    private static final Instant FIRST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("2200-01-01T00:00:00Z");

    private final NewTask<String> task = TaskType.of("mail", String.class).with(MARKER);

    @Test
    void beginsWithTheDefaultsOfItsType() {
        NewTask<String> bulk = TaskType.of("mail", String.class)
                .inQueue("bulk")
                .priority(7)
                .maxRetries(0)
                .with("payload");

        assertThat(bulk.payload()).isEqualTo("payload");
        assertThat(bulk.queue()).isEqualTo("bulk");
        assertThat(bulk.priority()).isEqualTo(7);
        assertThat(bulk.maxRetries()).isZero();
        assertThat(bulk.dueAt()).isEmpty();
        assertThat(bulk.delay()).isZero();
        assertThat(bulk.dedupKey()).isEmpty();
        assertThat(bulk.onDuplicate()).isEqualTo(OnDuplicate.KEEP_EXISTING);
        assertThat(bulk.headers()).isEmpty();
    }

    @Test
    void everyChangeIsACopyThatKeepsTheEarlierChanges() {
        NewTask<String> all = task.queue("bulk")
                .priority(10)
                .maxRetries(1_000_000)
                .dedupKey("k")
                .onDuplicate(OnDuplicate.FAIL)
                .delay(Duration.ofSeconds(5))
                .header("tenant", "a");

        assertThat(all.queue()).isEqualTo("bulk");
        assertThat(all.priority()).isEqualTo(10);
        assertThat(all.maxRetries()).isEqualTo(1_000_000);
        assertThat(all.dedupKey()).contains(DedupKey.of("k"));
        assertThat(all.onDuplicate()).isEqualTo(OnDuplicate.FAIL);
        assertThat(all.delay()).isEqualTo(Duration.ofSeconds(5));
        assertThat(all.headers()).isEqualTo(Map.of("tenant", "a"));
    }

    @Test
    void noChangeReachesTheOriginal() {
        List<UnaryOperator<NewTask<String>>> changes = List.of(
                t -> t.queue("bulk"),
                t -> t.priority(10),
                t -> t.maxRetries(0),
                t -> t.dedupKey("k"),
                t -> t.onDuplicate(OnDuplicate.FAIL),
                t -> t.delay(Duration.ofSeconds(5)),
                t -> t.dueAt(LAST),
                t -> t.header("tenant", "a"));

        for (UnaryOperator<NewTask<String>> change : changes) {
            NewTask<String> original = TaskType.of("mail", String.class).with("payload");
            NewTask<String> changed = change.apply(original);

            assertThat(changed).isNotSameAs(original).usingRecursiveComparison().isNotEqualTo(original);
            assertThat(original)
                    .usingRecursiveComparison()
                    .isEqualTo(TaskType.of("mail", String.class).with("payload"));
        }
    }

    @Test
    void headersCanNotBeChangedFromOutside() {
        Map<String, String> headers = task.header("tenant", "a").headers();
        assertThatThrownBy(() -> headers.put("tenant", "b")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void theLastDueTimeOrDelayCounts() {
        assertThat(task.delay(Duration.ofSeconds(5)).dueAt(LAST).delay()).isZero();
        assertThat(task.dueAt(LAST).delay(Duration.ofSeconds(5)).dueAt()).isEmpty();
    }

    @Test
    void aNullPayloadIsRefused() {
        assertThatThrownBy(() -> TaskType.of("mail", String.class).with(null))
                .isInstanceOf(InvalidTaskException.class)
                .hasMessageContainingAll("type mail", "payload", "null");
    }

    @Test
    void nullsAreRefusedWithTheNameOfWhatIsNull() {
        assertRefused(() -> task.dedupKey((DedupKey) null)).hasMessageContaining("dedup key is null");
        assertRefused(() -> task.onDuplicate(null)).hasMessageContaining("on duplicate is null");
        assertRefused(() -> task.dueAt(null)).hasMessageContaining("due time is null");
        assertRefused(() -> task.delay(null)).hasMessageContaining("delay is null");
        assertRefused(() -> task.header("tenant", null)).hasMessageContaining("header tenant is null");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 11, Integer.MAX_VALUE})
    void aPriorityOutsideOneToTenIsRefused(int priority) {
        assertRefused(() -> task.priority(priority))
                .hasMessage("priority " + priority + " is out of range; use 1 to 10 (10 is the most urgent)");
        assertThat(task.priority(1).priority()).isEqualTo(1);
        assertThat(task.priority(10).priority()).isEqualTo(10);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 1_000_001, Integer.MAX_VALUE})
    void retriesOutOfRangeAreRefused(int maxRetries) {
        assertRefused(() -> task.maxRetries(maxRetries))
                .hasMessageContainingAll("max retries " + maxRetries, "0 to 1000000", "one attempt");
        assertThat(task.maxRetries(0).maxRetries()).isZero();
    }

    @Test
    void dueTimesFrom2000To2200AreAccepted() {
        assertThat(task.dueAt(FIRST).dueAt()).contains(FIRST);
        assertThat(task.dueAt(LAST).dueAt()).contains(LAST);
        for (Instant beyond : new Instant[] {FIRST.minusNanos(1), LAST.plusNanos(1), Instant.MIN, Instant.MAX}) {
            assertRefused(() -> task.dueAt(beyond))
                    .hasMessageContainingAll("due time " + beyond, FIRST + " to " + LAST, "leave it out");
        }
    }

    @Test
    void delaysFromZeroToTenYearsAreAccepted() {
        assertThat(task.delay(Duration.ZERO).delay()).isZero();
        assertThat(task.delay(Duration.ofDays(3650)).delay()).isEqualTo(Duration.ofDays(3650));
        for (Duration beyond : new Duration[] {
            Duration.ofNanos(-1), Duration.ofDays(3650).plusNanos(1), Duration.ofSeconds(Long.MAX_VALUE)
        }) {
            assertRefused(() -> task.delay(beyond)).hasMessageContainingAll("delay " + beyond, "PT0S to PT87600H");
        }
    }

    @Test
    void fiftyHeadersAreAcceptedAndOneMoreIsRefused() {
        NewTask<String> full = task;
        for (int i = 0; i < 50; i++) {
            full = full.header("h" + i, "v");
        }
        NewTask<String> fifty = full;

        assertThat(fifty.headers()).hasSize(50);
        assertThat(fifty.header("h0", "other").headers()).hasSize(50).containsEntry("h0", "other");
        assertRefused(() -> fifty.header("h50", "v")).hasMessageContainingAll("type mail", "more than 50 headers");
    }

    @Test
    void aHeaderValueMayBeEmptyAndHasAtMost4096Bytes() {
        assertThat(task.header("h", "").headers()).containsEntry("h", "");
        assertThat(task.header("h", "😀".repeat(1024)).headers()).hasSize(1);
        assertRefused(() -> task.header("h", "😀".repeat(1024) + "x"))
                .hasMessageContainingAll("header h", "4097 bytes", "at most 4096", "shorten");
        assertRefused(() -> task.header("h", "a\u0000"))
                .hasMessageContaining("header h has a NUL character at index 1");
        assertRefused(() -> task.header("h", "\ud800")).hasMessageContaining("header h has half of a surrogate pair");
    }

    @Test
    void itsTextHidesThePayload() {
        assertThat(task.toString()).contains("mail").doesNotContain(MARKER);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(Runnable call) {
        return assertThatThrownBy(call::run)
                .isInstanceOf(InvalidTaskException.class)
                .hasMessageNotContaining(MARKER);
    }
}
