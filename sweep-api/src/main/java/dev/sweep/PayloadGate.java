package dev.sweep;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * Lets through only JSON that PostgreSQL can store as {@code jsonb} and every worker can read back: what passes here is
 * never the poison of a later claim. Checks the text, so a codec of the user's own is held to the same.
 */
final class PayloadGate {

    static final int MAX_DEPTH = 500;
    /** jsonb writes a number out in full (1E400 as 401 digits), and Jackson reads at most this many. */
    static final int MAX_NUMBER_DIGITS = 1000;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    private final int maxPayloadBytes;

    PayloadGate(int maxPayloadBytes) {
        this.maxPayloadBytes = maxPayloadBytes;
    }

    /** Throws an {@link InvalidPayloadException} that says where and why, without quoting the payload. */
    void check(String type, String json) {
        int bytes = json.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > maxPayloadBytes) {
            throw refused(
                    type,
                    "has " + bytes + " bytes; at most " + maxPayloadBytes
                            + " are allowed; store large data elsewhere and its address in the payload, or raise maxPayloadBytes");
        }
        int flaw = Bounds.firstUnstorable(json);
        if (flaw >= 0 && json.charAt(flaw) != 0) {
            throw refused(type, "has half of a surrogate pair at index " + flaw + ", which PostgreSQL can't store");
        }
        try (JsonParser parser = FACTORY.createParser(json)) {
            walk(type, parser);
        } catch (JsonProcessingException notJson) {
            throw refused(type, "is not JSON: " + notJson.getOriginalMessage());
        } catch (IOException impossible) {
            throw new InvalidPayloadException("the payload of a task of type " + type + " can't be read", impossible);
        }
    }

    private static void walk(String type, JsonParser parser) throws IOException {
        JsonToken token = parser.nextToken();
        if (token == null) {
            throw refused(type, "is empty; it needs one JSON value, such as {}");
        }
        int depth = 0;
        do {
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            if (depth > MAX_DEPTH) {
                throw refused(type, "is nested deeper than " + MAX_DEPTH + " levels; flatten it");
            }
            checkValue(type, parser, token);
            token = parser.nextToken();
            if (depth == 0 && token != null) {
                throw refused(type, "has more than one JSON value; wrap them in an array or an object");
            }
        } while (token != null);
    }

    private static void checkValue(String type, JsonParser parser, JsonToken token) throws IOException {
        switch (token) {
            case FIELD_NAME, VALUE_STRING -> {
                String text = parser.getText();
                int flaw = Bounds.firstUnstorable(text);
                if (flaw >= 0) {
                    String what = text.charAt(flaw) == 0 ? "a NUL character" : "half of a surrogate pair";
                    throw refused(
                            type, "has " + what + " in the text at " + path(parser) + ", which PostgreSQL can't store");
                }
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                if (digitsWrittenOut(parser.getText()) > MAX_NUMBER_DIGITS) {
                    throw refused(
                            type,
                            "has a number at " + path(parser) + " of more than " + MAX_NUMBER_DIGITS
                                    + " digits when written out; store it as text");
                }
            }
            default -> {}
        }
    }

    private static String path(JsonParser parser) {
        String pointer = parser.getParsingContext().pathAsPointer().toString();
        return pointer.isEmpty() ? "the top" : pointer;
    }

    /** How many digits the number has without an exponent; never builds the number, which could be huge. */
    private static long digitsWrittenOut(String number) {
        if (number.length() > MAX_NUMBER_DIGITS + 20) {
            return number.length();
        }
        try {
            BigDecimal value = new BigDecimal(number);
            long integerDigits = Math.max(1, (long) value.precision() - value.scale());
            return integerDigits + Math.max(0, value.scale());
        } catch (NumberFormatException exponentOutOfRange) {
            return Long.MAX_VALUE;
        }
    }

    private static InvalidPayloadException refused(String type, String why) {
        return new InvalidPayloadException(
                "the payload of a task of type " + type + " " + why + "; nothing was written");
    }
}
