package dev.sweep;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.math.BigDecimal;

/** One walk over a payload, token by token, up to the first thing that can't be stored or read back. */
final class PayloadWalk {

    private static final int MAX_DEPTH = 500;
    /** jsonb writes a number out in full (1E400 as 401 digits), and Jackson reads at most this many. */
    private static final int MAX_NUMBER_DIGITS = StreamReadConstraints.DEFAULT_MAX_NUM_LEN;
    /** As many characters as Jackson reads. */
    private static final int MAX_KEY_LENGTH = StreamReadConstraints.DEFAULT_MAX_NAME_LEN;

    private static final int MAX_PATH_LENGTH = 200;

    /** Without bounds, because ours are below and have better messages; without a table of every key ever seen. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    private final String json;
    private int depth;
    private long digitsToBeAdded;

    PayloadWalk(String json) {
        this.json = json;
    }

    /** What is wrong, as the end of a sentence that does not quote the payload; empty if nothing is. */
    String firstFlaw() {
        try (JsonParser parser = FACTORY.createParser(json)) {
            return walk(parser);
        } catch (JsonProcessingException notJson) {
            return "is not JSON: " + reason(notJson);
        } catch (IOException impossible) {
            throw new InvalidPayloadException("a payload in memory can't be read", impossible);
        }
    }

    /** How many digits the text grows by when its numbers are written out in full; known after the walk. */
    long digitsToBeAdded() {
        return digitsToBeAdded;
    }

    private String walk(JsonParser parser) throws IOException {
        JsonToken token = parser.nextToken();
        if (token == null) {
            return "is empty; it needs one JSON value, such as {}";
        }
        while (token != null) {
            String flaw = flawOf(token, parser);
            if (!flaw.isEmpty()) {
                return flaw;
            }
            token = parser.nextToken();
            if (depth == 0 && token != null) {
                return "has more than one JSON value; wrap them in an array or an object";
            }
        }
        return "";
    }

    private String flawOf(JsonToken token, JsonParser parser) throws IOException {
        return switch (token) {
            case START_OBJECT, START_ARRAY ->
                ++depth > MAX_DEPTH ? "is nested deeper than " + MAX_DEPTH + " levels; flatten it" : "";
            case END_OBJECT, END_ARRAY -> {
                depth--;
                yield "";
            }
            case FIELD_NAME -> flawOfKey(parser);
            case VALUE_STRING -> flawOfText(parser.getText(), "in the text at " + path(parser.getParsingContext()));
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> flawOfNumber(parser);
            case VALUE_NULL -> depth == 0 ? "is null; pass JSON, if need be {}" : "";
            default -> "";
        };
    }

    private static String flawOfKey(JsonParser parser) throws IOException {
        String key = parser.getText();
        // The path of the object: a key that can't be stored can't be shown either.
        String place = "at " + path(parser.getParsingContext().getParent());
        if (key.length() > MAX_KEY_LENGTH) {
            return "has a key of " + key.length() + " characters in the object " + place + "; at most " + MAX_KEY_LENGTH
                    + " are allowed; shorten it, or make it a value";
        }
        return flawOfText(key, "in a key of the object " + place);
    }

    private static String flawOfText(String text, String place) {
        int flaw = Bounds.firstUnstorable(text);
        return flaw < 0
                ? ""
                : "has " + Bounds.nameOfUnstorable(text.charAt(flaw)) + " " + place + ", which PostgreSQL can't store";
    }

    private String flawOfNumber(JsonParser parser) throws IOException {
        String number = parser.getText();
        long digits = digitsWrittenOut(number);
        if (digits > MAX_NUMBER_DIGITS) {
            return "has a number at " + path(parser.getParsingContext()) + " of more than " + MAX_NUMBER_DIGITS
                    + " digits when written out; store it as text";
        }
        digitsToBeAdded += Math.max(0, digits - number.length());
        return "";
    }

    /** How many digits the number has in the text or without an exponent; never writes them, they could be billions. */
    private static long digitsWrittenOut(String number) {
        long digits = number.chars().filter(Character::isDigit).count();
        if (digits > MAX_NUMBER_DIGITS) {
            return digits;
        }
        try {
            BigDecimal value = new BigDecimal(number);
            long integerDigits = Math.max(1, (long) value.precision() - value.scale());
            return Math.max(digits, integerDigits + Math.max(0, value.scale()));
        } catch (NumberFormatException exponentOutOfRange) {
            return Long.MAX_VALUE;
        }
    }

    /** Where the text stops being JSON; never Jackson's own message, which quotes it. */
    private static String reason(JsonProcessingException notJson) {
        if (notJson instanceof JsonEOFException) {
            return "it ends before its value does";
        }
        JsonLocation location = notJson.getLocation();
        return "see line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    private static String path(JsonStreamContext context) {
        String pointer = context.pathAsPointer().toString();
        return pointer.isEmpty() ? "the top" : Excerpt.tail(pointer, MAX_PATH_LENGTH);
    }
}
