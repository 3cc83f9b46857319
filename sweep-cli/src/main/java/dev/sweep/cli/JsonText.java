package dev.sweep.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;

/** JSON that commands print: safe to show on a terminal, with every number as it was stored. */
final class JsonText {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .enable(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    private JsonText() {}

    static ArrayNode array() {
        return MAPPER.createArrayNode();
    }

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** JSON text as a value inside an object, digit for digit. */
    static RawValue raw(String json) {
        return new RawValue(json);
    }

    /** On one line. */
    static String line(JsonNode json) {
        try {
            return Printable.of(MAPPER.writeValueAsString(json));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree of plain values can't be written", impossible);
        }
    }

    /** For people: on several lines, indented. Text that is not JSON is shown as it is. */
    static String pretty(String json) {
        try {
            String text = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(MAPPER.readTree(json));
            return String.join("\n", text.lines().map(Printable::of).toList());
        } catch (JsonProcessingException notJson) {
            return Printable.of(json);
        }
    }
}
