package dev.sweep.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.sweep.Json;
import dev.sweep.NewTask;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads a task from one line of JSON. The payload is cut out of the line as it stands, so every number keeps its digits.
 * Fields that are not known are refused: a misspelt one would silently be no dedup key.
 */
final class TaskLineParser {

    private static final String KNOWN_FIELDS =
            "type, payload, dedupKey, priority, queue, delay, dueAt, maxRetries, headers";

    /** The payload's own bounds are checked when it is enqueued. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .build();

    private final DurationConverter durations = new DurationConverter();
    private final InstantConverter instants = new InstantConverter();

    /** The task that the line asks for; a {@link CliException} or {@code InvalidTaskException} says what is wrong. */
    NewTask<Json> parse(String line) {
        try (JsonParser parser = FACTORY.createParser(line)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw CliException.badInput("is not a JSON object; write one like {\"type\":\"mail\",\"payload\":{}}");
            }
            TaskDraft draft = new TaskDraft();
            Set<String> seen = new HashSet<>();
            while (parser.nextToken() != JsonToken.END_OBJECT) {
                String field = parser.currentName();
                if (!seen.add(field)) {
                    throw CliException.badInput("has the field '" + field + "' twice; keep one");
                }
                parser.nextToken();
                readField(draft, field, parser, line);
            }
            if (parser.nextToken() != null) {
                throw CliException.badInput("has something after its JSON object; put each task on a line of its own");
            }
            return draft.task();
        } catch (JsonProcessingException notJson) {
            throw new CliException(ExitCode.BAD_INPUT, "is not JSON: " + notJson.getOriginalMessage(), notJson);
        } catch (IOException impossible) {
            throw new CliException(ExitCode.BAD_INPUT, "can't be read", impossible);
        }
    }

    private void readField(TaskDraft draft, String field, JsonParser parser, String line) throws IOException {
        try {
            switch (field) {
                case "type" -> draft.type = text(field, parser);
                case "payload" -> draft.payload = raw(parser, line);
                case "dedupKey" -> draft.dedupKey = text(field, parser);
                case "priority" -> draft.priority = wholeNumber(field, parser);
                case "queue" -> draft.queue = text(field, parser);
                case "delay" -> draft.delay = durations.convert(text(field, parser));
                case "dueAt" -> draft.dueAt = instants.convert(text(field, parser));
                case "maxRetries" -> draft.maxRetries = wholeNumber(field, parser);
                case "headers" -> readHeaders(draft, parser);
                default ->
                    throw CliException.badInput("has the unknown field '" + field + "'; known are " + KNOWN_FIELDS);
            }
        } catch (TypeConversionException malformed) {
            throw new CliException(ExitCode.BAD_INPUT, field + " " + malformed.getMessage(), malformed);
        }
    }

    private static void readHeaders(TaskDraft draft, JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw CliException.badInput("headers is not an object; write {\"name\":\"value\"}");
        }
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            if (draft.headers.put(name, text("header " + name, parser)) != null) {
                throw CliException.badInput("has the header '" + name + "' twice; keep one");
            }
        }
    }

    private static String text(String field, JsonParser parser) throws IOException {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw CliException.badInput(field + " is not a string; put it in double quotes or leave it out");
        }
        return parser.getText();
    }

    private static int wholeNumber(String field, JsonParser parser) throws IOException {
        boolean isWhole = parser.currentToken() == JsonToken.VALUE_NUMBER_INT;
        if (!isWhole || parser.getNumberType() != JsonParser.NumberType.INT) {
            throw CliException.badInput(
                    field + shown(parser) + " is not a whole number in its range; write it like 5, without quotes");
        }
        return parser.getIntValue();
    }

    private static String shown(JsonParser parser) throws IOException {
        if (parser.currentToken() == JsonToken.VALUE_STRING) {
            return " \"" + parser.getText() + '"';
        }
        return parser.currentToken().isScalarValue() ? " " + parser.getText() : "";
    }

    /** The text of the value that the parser stands at, exactly as it is in the line. */
    private static String raw(JsonParser parser, String line) throws IOException {
        int start = (int) parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        parser.finishToken();
        return line.substring(start, (int) parser.currentLocation().getCharOffset());
    }
}
