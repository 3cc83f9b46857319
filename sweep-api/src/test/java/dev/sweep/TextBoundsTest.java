package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every name and key that a caller can give, at each place where it can be given. */
class TextBoundsTest {

    private static final NewTask<String> TASK =
            TaskType.of("mail", String.class).with("payload");
    private static final RecordingTaskStore STORE = new RecordingTaskStore();
    private static final Sweep SWEEP = Sweep.create(STORE);

    /** One place where text is given; {@code field} is what the message calls it. */
    record Place(String method, String field, int maxBytes, Consumer<String> give) {
        @Override
        public String toString() {
            return method;
        }
    }

    static Stream<Place> places() {
        return Stream.of(
                new Place("TaskType.of", "task type", 200, text -> TaskType.of(text, String.class)),
                new Place("TaskType.json", "task type", 200, TaskType::json),
                new Place("TaskType.inQueue", "queue", 200, TASK.type()::inQueue),
                new Place("TaskType.alias", "alias", 200, TASK.type()::alias),
                new Place("NewTask.queue", "queue", 200, TASK::queue),
                new Place("NewTask.dedupKey", "dedup key", 1024, TASK::dedupKey),
                new Place("DedupKey.of", "dedup key", 1024, DedupKey::of),
                new Place("NewTask.header", "header name", 200, name -> TASK.header(name, "value")),
                new Place("TaskQuery.type", "task type", 200, TaskQuery.newest()::type),
                new Place("TaskQuery.queue", "queue", 200, TaskQuery.newest()::queue),
                new Place("Sweep.pauseQueue", "queue", 200, SWEEP::pauseQueue),
                new Place("Sweep.resumeQueue", "queue", 200, SWEEP::resumeQueue));
    }

    @ParameterizedTest
    @MethodSource("places")
    void textAtTheBoundIsAccepted(Place place) {
        for (String text : new String[] {
            "x",
            " x ",
            "a\nb",
            "x".repeat(place.maxBytes),
            "😀".repeat(place.maxBytes / 4),
            "é".repeat(place.maxBytes / 2)
        }) {
            assertThatCode(() -> place.give.accept(text)).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void oneByteMoreIsRefusedWithValueBoundAndRemedy(Place place) {
        for (String tooLong : new String[] {
            "x".repeat(place.maxBytes + 1), "😀".repeat(place.maxBytes / 4) + "x", "x" + "😀".repeat(place.maxBytes / 4)
        }) {
            assertThatThrownBy(() -> place.give.accept(tooLong))
                    .isInstanceOf(InvalidTaskException.class)
                    .hasMessageStartingWith(place.field + " '" + tooLong.substring(0, 30))
                    .hasMessageContainingAll(
                            (place.maxBytes + 1) + " bytes", "at most " + place.maxBytes + " are allowed", "shorten it")
                    .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(200))
                    .satisfies(refusal -> assertThat(Bounds.firstUnstorable(refusal.getMessage()))
                            .isEqualTo(-1));
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void blankTextIsRefused(Place place) {
        for (String blank : new String[] {"", " ", "\t\n", "\u2003"}) {
            assertThatThrownBy(() -> place.give.accept(blank))
                    .isInstanceOf(InvalidTaskException.class)
                    .hasMessage(place.field + " is blank; it needs 1 to " + place.maxBytes + " bytes of text");
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void nullIsRefused(Place place) {
        assertThatThrownBy(() -> place.give.accept(null))
                .isInstanceOf(InvalidTaskException.class)
                .hasMessage(place.field + " is null; it needs 1 to " + place.maxBytes + " bytes of text");
    }

    @ParameterizedTest
    @MethodSource("places")
    void nulIsRefusedWhereverItStands(Place place) {
        assertUnstorable(place, "\u0000ab", "a NUL character at index 0");
        assertUnstorable(place, "a\u0000b", "a NUL character at index 1");
        assertUnstorable(place, "ab\u0000", "a NUL character at index 2");
    }

    @ParameterizedTest
    @MethodSource("places")
    void halfASurrogatePairIsRefusedWhereverItStands(Place place) {
        assertUnstorable(place, "\ud83dab", "half of a surrogate pair at index 0");
        assertUnstorable(place, "a\ud83db", "half of a surrogate pair at index 1");
        assertUnstorable(place, "ab\ud83d", "half of a surrogate pair at index 2");
        assertUnstorable(place, "\ude00ab", "half of a surrogate pair at index 0");
        assertUnstorable(place, "😀\ude00", "half of a surrogate pair at index 2");
        assertUnstorable(place, "\ud83d😀", "half of a surrogate pair at index 0");
    }

    private static void assertUnstorable(Place place, String text, String flaw) {
        assertThatThrownBy(() -> place.give.accept(text))
                .isInstanceOf(InvalidTaskException.class)
                .hasMessage(place.field + " has " + flaw + ", which PostgreSQL can't store; remove it");
    }
}
