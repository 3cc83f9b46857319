package dev.sweep.jooq;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sweep.InvalidPayloadException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Headers as the JSON object that their column holds. */
final class HeadersJson {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final TypeReference<Map<String, String>> TYPE = new TypeReference<>() {};

    private HeadersJson() {}

    static String written(Map<String, String> headers) {
        try {
            return MAPPER.writeValueAsString(headers);
        } catch (JsonProcessingException impossible) {
            throw new InvalidPayloadException("headers can't be written as JSON", impossible);
        }
    }

    static Map<String, String> read(@Nullable String json) {
        if (json == null) {
            return Map.of();
        }
        try {
            return MAPPER.readValue(json, TYPE);
        } catch (JsonProcessingException notTextOnly) {
            return Map.of();
        }
    }
}
