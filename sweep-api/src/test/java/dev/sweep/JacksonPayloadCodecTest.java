package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JacksonPayloadCodecTest {

    private static final String MARKER = "SECRET-4711";

    private final JacksonPayloadCodec codec = JacksonPayloadCodec.ofDefaults();

    enum Kind {
        FIRST,
        SECOND
    }

    record Empty() {}

    record Mail(long userId, String address) {}

    record Order(Kind kind, List<Line> lines) {}

    record Line(long count, BigDecimal price) {}

    record Amounts(BigDecimal amount, long number, BigInteger big) {}

    record Times(Instant at, Duration length, LocalDate day, OffsetDateTime offset, ZonedDateTime zoned) {}

    record Anything(Object value) {}

    record Measures(double mean, float peak) {}

    record Checked(int percent, String note) {
        Checked {
            if (percent > 100) {
                throw new IllegalArgumentException(percent + " is too much: " + note);
            }
        }
    }

    @Nested
    class RoundTrip {

        @ParameterizedTest
        @ValueSource(strings = {"1.10", "12345678901234567890.12", "1E+400", "0.3", "0.30000000000000000001", "-0.0"})
        void aDecimalKeepsItsScaleInARecordAMapAndATree(String number) {
            BigDecimal amount = new BigDecimal(number);

            assertThat(reread(new Amounts(amount, 9007199254740993L, BigInteger.TEN.pow(30))))
                    .isEqualTo(new Amounts(amount, 9007199254740993L, BigInteger.TEN.pow(30)));
            assertThat(decodeMap("{\"n\": " + number + "}")).isEqualTo(Map.of("n", amount));
            JsonNode tree = JsonNodeFactory.instance.objectNode().put("n", amount);
            assertThat(reread(tree, JsonNode.class).get("n").decimalValue()).isEqualTo(amount);
        }

        @Test
        void wholeNumbersInMapsAreExact() {
            assertThat(decodeMap("{\"n\": 9007199254740993, \"m\": 123456789012345678901234567890}"))
                    .isEqualTo(Map.of("n", 9007199254740993L, "m", new BigInteger("123456789012345678901234567890")));
        }

        @Test
        void theLastOfRepeatedKeysCountsAsItDoesInPostgres() {
            assertThat(decodeMap("{\"a\": 1, \"a\": 2}")).isEqualTo(Map.of("a", 2));
        }

        @Test
        void timesAreIsoTextAndComeBackEqual() {
            Times times = new Times(
                    Instant.parse("2026-03-01T10:00:00.123456789Z"),
                    Duration.ofMillis(90_061_001),
                    LocalDate.parse("2026-03-01"),
                    OffsetDateTime.parse("2026-03-01T10:00:00+02:00"),
                    ZonedDateTime.parse("2026-07-01T10:00:00+02:00[Europe/Berlin]"));

            assertThat(codec.encode(times)).contains("\"2026-03-01T10:00:00.123456789Z\"", "\"PT25H1M1.001S\"");
            assertThat(reread(times)).isEqualTo(times);
        }

        @Test
        void notANumberIsTextAndComesBackAsANumber() {
            Measures measures = new Measures(Double.NaN, Float.NEGATIVE_INFINITY);

            assertThat(codec.encode(measures)).isEqualTo("{\"mean\":\"NaN\",\"peak\":\"-Infinity\"}");
            assertThat(reread(measures)).isEqualTo(measures);
        }

        @Test
        void recordsWithoutFieldsAreEmptyObjects() {
            assertThat(codec.encode(new Empty())).isEqualTo("{}");
            assertThat(reread(new Empty())).isEqualTo(new Empty());
        }

        @Test
        void optionalsAreTheirValueOrNull() {
            record Note(Optional<String> text) {}
            assertThat(codec.encode(new Note(Optional.of("hello")))).isEqualTo("{\"text\":\"hello\"}");
            assertThat(reread(new Note(Optional.empty()))).isEqualTo(new Note(Optional.empty()));
        }
    }

    @Nested
    class Tolerance {

        @Test
        void unknownFieldsAreIgnored() {
            assertThat(codec.decode("{\"userId\": 1, \"address\": \"a\", \"later\": {\"x\": [1]}}", Mail.class))
                    .isEqualTo(new Mail(1, "a"));
        }

        @Test
        void aMissingObjectIsNullSoThatFieldsCanBeAdded() {
            assertThat(codec.decode("{\"userId\": 1}", Mail.class)).isEqualTo(new Mail(1, null));
        }

        @Test
        void classNamesAreNeitherWrittenNorObeyed() {
            assertThat(codec.encode(new Anything(new Mail(1, "a"))))
                    .isEqualTo("{\"value\":{\"userId\":1,\"address\":\"a\"}}");
            Map<String, Object> named = Map.of("@class", Mail.class.getName(), "userId", 1);
            assertThat(reread(new Anything(named))).isEqualTo(new Anything(named));
        }
    }

    @Nested
    class Unreadable {

        @Test
        void aMissingNumberNamesTheFieldAndItsType() {
            assertUnreadable("{\"address\": \"" + MARKER + "\"}", Mail.class)
                    .hasMessageContainingAll(Mail.class.getName(), "at field userId (a long is expected)");
        }

        @Test
        void aNullNumberNamesTheFieldAndItsType() {
            assertUnreadable("{\"userId\": null}", Mail.class).hasMessageContaining("userId (a long is expected)");
        }

        @ParameterizedTest
        @ValueSource(strings = {"\"" + MARKER + "\"", "{\"x\": \"" + MARKER + "\"}", "[\"" + MARKER + "\"]", "1.5"})
        void aWrongTypeNamesThePathAndTheTypeButNotTheValue(String count) {
            assertUnreadable("{\"lines\": [{\"count\": 1, \"price\": 1}, {\"count\": " + count + "}]}", Order.class)
                    .hasMessageContaining("at field lines.1.count (a long is expected)");
        }

        @Test
        void anObjectForTextNamesTheField() {
            assertUnreadable("{\"address\": {\"x\": \"" + MARKER + "\"}}", Mail.class)
                    .hasMessageContaining("at field address (a java.lang.String is expected)");
        }

        @ParameterizedTest
        @ValueSource(strings = {"\"" + MARKER + "\"", "0", "7"})
        void anUnknownEnumNamesTheFieldAndTheEnum(String kind) {
            assertUnreadable("{\"kind\": " + kind + "}", Order.class)
                    .hasMessageContaining("at field kind (a " + Kind.class.getName() + " is expected)");
        }

        @Test
        void anInvalidInstantNamesTheField() {
            assertUnreadable("{\"at\": \"" + MARKER + "\"}", Times.class)
                    .hasMessageContaining("at field at (a java.time.Instant is expected)");
        }

        @Test
        void whatTheConstructorRefusesNamesTheClassThatRefused() {
            assertUnreadable("{\"percent\": 101, \"note\": \"" + MARKER + "\"}", Checked.class)
                    .hasMessageContainingAll(Checked.class.getName(), "IllegalArgumentException");
        }

        @Test
        void anotherShapeNamesTheClass() {
            assertUnreadable("[\"" + MARKER + "\"]", Mail.class).hasMessageContaining(Mail.class.getName());
            assertUnreadable("\"" + MARKER + "\"", Mail.class).hasMessageContaining(Mail.class.getName());
        }

        @Test
        void nullIsNoPayload() {
            assertUnreadable("null", Mail.class).hasMessageContainingAll("is null", Mail.class.getName());
        }

        @Test
        void whatIsNotJsonIsNotQuoted() {
            assertUnreadable("{\"userId\": " + MARKER, Mail.class).hasMessageContaining(Mail.class.getName());
        }

        @Test
        void aDeserializerThatThrowsIsNotQuoted() {
            assertUnreadable("{}", Loud.class).hasMessageContainingAll(Loud.class.getName(), "IllegalStateException");
        }

        private <P> AbstractThrowableAssert<?, ? extends Throwable> assertUnreadable(
                String json, Class<P> payloadClass) {
            return assertInvalid(
                    catchThrowableOfType(InvalidPayloadException.class, () -> codec.decode(json, payloadClass)));
        }
    }

    @JsonDeserialize(using = LoudDeserializer.class)
    record Loud() {}

    static final class LoudDeserializer extends JsonDeserializer<Loud> {
        @Override
        public Loud deserialize(JsonParser parser, DeserializationContext context) {
            throw new IllegalStateException(MARKER);
        }
    }

    @Nested
    class Unwritable {

        /** A class whose data Jackson can't see. */
        static final class Sealed {
            private final String address = MARKER;

            @Override
            public String toString() {
                return address;
            }
        }

        /** Throws what it should keep. */
        static final class Broken {
            private final boolean isReadable = false;

            public String getAddress() {
                if (!isReadable) {
                    throw new IllegalStateException(MARKER);
                }
                return MARKER;
            }
        }

        @Test
        void aClassWithoutVisibleFieldsIsRefusedRatherThanWrittenEmpty() {
            assertUnwritable(new Sealed()).hasMessageContainingAll(Sealed.class.getName(), "record");
            assertUnwritable(new Anything(new Sealed())).hasMessageContainingAll("at field value", "record");
        }

        @Test
        void aGetterThatThrowsIsNamedButNotQuoted() {
            assertUnwritable(new Anything(List.of(new Broken())))
                    .hasMessageContainingAll("at field value.0.address", "IllegalStateException");
        }

        @Test
        void aCycleIsRefusedWithAShortMessage() {
            List<Object> cycle = new ArrayList<>();
            cycle.add(cycle);
            assertUnwritable(new Anything(cycle))
                    .hasMessageContaining("at field value.0.0")
                    .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(600));
        }

        private AbstractThrowableAssert<?, ? extends Throwable> assertUnwritable(Object payload) {
            return assertInvalid(catchThrowableOfType(InvalidPayloadException.class, () -> codec.encode(payload)));
        }
    }

    @Nested
    class OwnMapper {

        @Test
        void decidesWhatIsTolerated() {
            JacksonPayloadCodec strict = JacksonPayloadCodec.of(JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .build());

            assertInvalid(catchThrowableOfType(
                            InvalidPayloadException.class,
                            () -> strict.decode("{\"later\": \"" + MARKER + "\"}", Mail.class)))
                    .hasMessageContainingAll(Mail.class.getName(), "at field later");
        }

        @Test
        void isCopiedSoThatLaterChangesDoNotReachTheCodec() {
            JsonMapper own = JsonMapper.builder()
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .build();
            JacksonPayloadCodec lenient = JacksonPayloadCodec.of(own);
            own.configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, true);

            assertThat(lenient.decode("{\"later\": 1, \"userId\": 2}", Mail.class))
                    .isEqualTo(new Mail(2, null));
        }
    }

    private Map<?, ?> decodeMap(String json) {
        return codec.decode(json, Map.class);
    }

    private <P> P reread(P payload) {
        @SuppressWarnings("unchecked")
        Class<P> payloadClass = (Class<P>) payload.getClass();
        return reread(payload, payloadClass);
    }

    private <P> P reread(P payload, Class<P> payloadClass) {
        String json = codec.encode(payload);
        new PayloadGate(1 << 20).checkPayload("any", json);
        return codec.decode(json, payloadClass);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertInvalid(InvalidPayloadException refusal) {
        return assertThat(refusal).isNotNull().hasNoCause().hasMessageNotContaining(MARKER);
    }
}
