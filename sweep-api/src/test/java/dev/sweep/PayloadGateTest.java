package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadGateTest {

    private static final String MARKER = "SECRET-4711";
    /** The channel to the build hangs on half of a surrogate pair in the name of a test. */
    private static final String NO_TEXT = "[{index}]";

    private final PayloadGate gate = new PayloadGate(1 << 20);

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "[]", "\"\"", "0", "-0.0", "true", "[null]", " {\"a\" : [1, 2]}\r\n\t", "\"\\/\\u00e9\""})
    void anyOneJsonValuePasses(String json) {
        assertPasses(gate, json);
    }

    @Nested
    class Syntax {

        @ParameterizedTest
        @ValueSource(strings = {"", " ", "\n\t"})
        void noValueIsRefused(String nothing) {
            assertRefused(nothing).hasMessageContainingAll("is empty", "{}");
        }

        @Test
        void nullIsNoPayload() {
            assertRefused(" null ").hasMessageContainingAll("is null", "{}");
        }

        @ParameterizedTest
        @ValueSource(strings = {"1 2", "{} {}", "[] null", "\"a\"\"b\""})
        void aSecondValueIsRefused(String two) {
            assertRefused(two).hasMessageContainingAll("more than one JSON value", "array");
        }

        @ParameterizedTest(name = NO_TEXT)
        @ValueSource(
                strings = {
                    MARKER,
                    "{\"a\": " + MARKER + "}",
                    "{\"a\": \"" + MARKER,
                    "{\"a\": \"" + MARKER + "\"",
                    "{\"a\": 1} " + MARKER,
                    "{\"a\": 1}]",
                    "{\"" + MARKER + "\" 1}",
                    "{'a': 1}",
                    "{\"a\": \"\\x" + MARKER + "\"}",
                    "[1,]",
                    "{\"a\": 01}",
                    "{\"a\": .5}",
                    "{\"a\": 1.}",
                    "{\"a\": NaN}",
                    "{\"a\": -Infinity}",
                    "// " + MARKER + "\n{}",
                    "\uFEFF{}",
                    "\u0000",
                    "{\"a\": \"\u0000\"}",
                    "{\"a\": \"\t\"}",
                    "\ud800"
                })
        void whatIsNotJsonIsRefusedWithoutBeingQuoted(String text) {
            assertRefused(text).hasMessageContaining("is not JSON");
        }

        @Test
        void theMessageSaysWhereJsonEnds() {
            assertRefused("{\n  \"a\": oops}").hasMessageContaining("see line 2, column 8");
            assertRefused("{\"a\": [1").hasMessageContaining("ends");
        }
    }

    @Nested
    class Text {

        @ParameterizedTest
        @CsvSource(
                quoteCharacter = '`',
                delimiter = '|',
                value = {
                    "{\"a\": \"x\\u0000\"}          | /a",
                    "{\"a\": [{\"b\": \"\\u0000\"}]} | /a/0/b",
                    "[\"fine\", \"\\u0000\"]        | /1",
                    "\"\\u0000\"                    | the top",
                })
        void nulIsRefusedWithItsPath(String json, String path) {
            assertRefused(json).hasMessageContainingAll("a NUL character in the text at " + path + ",", "PostgreSQL");
        }

        @Test
        void nulInAKeyIsRefusedWithThePathOfItsObject() {
            assertRefused("{\"a\": {\"x\\u0000\": 1}}")
                    .hasMessageContaining("a NUL character in a key of the object at /a,");
            assertRefused("{\"\\u0000\": 1}").hasMessageContaining("in a key of the object at the top,");
        }

        @Test
        void halfASurrogatePairInAKeyIsRefused() {
            assertRefused("{\"a\": {\"x" + '\ud800' + "\": 1}}")
                    .hasMessageContaining("half of a surrogate pair in a key of the object at /a,");
            // As an escape it does not get past Jackson's reader, which does not tell it from other broken text.
            assertRefused("{\"a\": {\"\\ud800\": 1}}").hasMessageContaining("see line 1, column 15");
        }

        @ParameterizedTest(name = NO_TEXT)
        @ValueSource(
                strings = {
                    "\\ud800",
                    "\\udc00",
                    "x\\ud800y",
                    "\\ud800\\ud800\\udc00",
                    "\\udc00\\ud800",
                    "\ud800",
                    "\udc00",
                    "x\ud800",
                    "\ud800y"
                })
        void halfASurrogatePairIsRefusedWithItsPath(String text) {
            assertRefused("{\"a\": [\"" + text + "\"]}")
                    .hasMessageContainingAll("half of a surrogate pair in the text at /a/0,", "PostgreSQL");
        }

        /** Each half stands where JSON can have it, and no UTF-8 text holds the two. */
        @Test
        void aPairOfOneCharacterAndOneEscapeIsRefused() {
            assertRefused("[\"" + '\ud83d' + "\\ude00\"]").hasMessageContaining("half of a surrogate pair at index 2,");
            assertRefused("[\"\\ud83d" + '\ude00' + "\"]").hasMessageContaining("half of a surrogate pair at index 8,");
        }

        @Test
        void wholeSurrogatePairsPass() {
            assertPasses(gate, "{\"\\ud83d\\ude00\": \"\\ud83d\\ude00\", \"😀\": \"😀😀\"}");
        }

        @Test
        void aKeyIsAtMostAsLongAsWorkersCanRead() {
            assertPasses(gate, "{\"" + "k".repeat(50_000) + "\": 1}");
            assertRefused("{\"a\": {\"" + "k".repeat(50_001) + "\": 1}}")
                    .hasMessageContainingAll(
                            "a key of 50001 characters in the object at /a;", "at most 50000", "shorten");
        }

        @Test
        void aLongPathIsCut() {
            String key = "k".repeat(40_000);
            assertRefused("{\"" + key + "\": {\"end\": \"\\u0000\"}}")
                    .hasMessageContaining("/end")
                    .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(500));
        }
    }

    @Nested
    class Size {

        @Test
        void isCountedInBytesOfUtf8() {
            PayloadGate ten = new PayloadGate(10);
            assertPasses(ten, "\"😀😀\"");
            assertRefused(ten, "\"😀😀x\"").hasMessageContainingAll("11 bytes", "at most 10", "maxPayloadBytes");
        }

        @Test
        void theLongestStringUnderTheLargestBoundCanBeRead() {
            String json = "\"" + "x".repeat((16 << 20) - 2) + "\"";
            assertPasses(new PayloadGate(16 << 20), json);
            assertThat(json.getBytes(StandardCharsets.UTF_8)).hasSize(16 << 20);
            assertThat(JacksonPayloadCodec.ofDefaults().decode(json, String.class))
                    .hasSize((16 << 20) - 2);
        }

        /** jsonb writes 1E900 as 901 digits: a small text must not become a huge one when it is claimed. */
        @Test
        void numbersCountWithTheDigitsThatTheStoreWritesOut() {
            PayloadGate small = new PayloadGate(2_000);
            assertPasses(small, "[1E900, 1E900]");
            assertRefused(small, "[1E900, 1E900, 1E900]")
                    .hasMessageContainingAll("when its numbers are written out", "at most 2000");
            assertRefused(small, "[1E-900, 1E-900, 1E-900]").hasMessageContaining("when its numbers are written out");
        }

        @Test
        void fiveHundredLevelsPassAndOneMoreIsRefused() {
            assertPasses(gate, "[".repeat(500) + "]".repeat(500));
            assertPasses(gate, "{\"a\":".repeat(500) + "1" + "}".repeat(500));
            assertRefused("[".repeat(501) + "]".repeat(501)).hasMessageContainingAll("500 levels", "flatten");
            assertRefused("[".repeat(100_000)).hasMessageContaining("500 levels");
        }
    }

    @Nested
    class Numbers {

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "1.10",
                    "12345678901234567890.12",
                    "9007199254740993",
                    "-0.0",
                    "1E400",
                    "1e+5",
                    "1.5E-7",
                    "0E5",
                    "123456789012345678901234567890",
                    "1E999",
                    "1E-999",
                    "-1E999"
                })
        void passAndAreReadExactly(String number) {
            String json = "{\"n\": " + number + "}";
            assertPasses(gate, json);
            JsonNode read = JacksonPayloadCodec.ofDefaults().decode(json, JsonNode.class);
            assertThat(read.get("n").decimalValue()).isEqualTo(new BigDecimal(number));
        }

        @Test
        void aThousandDigitsPass() {
            for (String number : new String[] {
                "9".repeat(1000),
                "-" + "9".repeat(1000),
                "0." + "9".repeat(999),
                "-" + "9".repeat(500) + "." + "9".repeat(500)
            }) {
                assertPasses(gate, "[" + number + "]");
                assertThat(JacksonPayloadCodec.ofDefaults()
                                .decode("[" + number + "]", JsonNode.class)
                                .get(0)
                                .decimalValue())
                        .isEqualTo(new BigDecimal(number));
            }
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "1E1000",
                    "1E-1000",
                    "1E200000",
                    "-1E200000",
                    "1E-200000",
                    "1E2147483648",
                    "1E-99999999999999999999"
                })
        void withMoreThanAThousandDigitsWrittenOutAreRefusedWithTheirPath(String number) {
            assertRefused("{\"a\": [" + number + "]}")
                    .hasMessageContainingAll("a number at /a/0", "1000 digits", "store it as text");
        }

        @Test
        void withTooManyDigitsInTheTextAreRefusedWithTheirPath() {
            for (String number : new String[] {
                "9".repeat(1001),
                "9".repeat(1501),
                "0." + "9".repeat(1000),
                "0." + "0".repeat(1000) + "1E999",
                "9".repeat(1000) + "E-5"
            }) {
                assertRefused("{\"amount\": " + number + "}")
                        .hasMessageContainingAll("a number at /amount", "1000 digits")
                        .hasMessageNotContaining(number);
            }
        }
    }

    private static void assertPasses(PayloadGate gate, String json) {
        assertThatCode(() -> gate.checkPayload("mail", json)).doesNotThrowAnyException();
    }

    private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(String json) {
        return assertRefused(gate, json);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(PayloadGate gate, String json) {
        InvalidPayloadException refusal =
                catchThrowableOfType(InvalidPayloadException.class, () -> gate.checkPayload("mail", json));
        return assertThat(refusal)
                .isNotNull()
                .hasNoCause()
                .hasMessageStartingWith("the payload of a task of type mail ")
                .hasMessageEndingWith("; nothing was written")
                .hasMessageNotContaining(MARKER)
                .satisfies(thrown ->
                        assertThat(Bounds.firstUnstorable(thrown.getMessage())).isEqualTo(-1));
    }
}
