package dev.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.sweep.spi.PayloadCodec;
import java.util.stream.Collectors;

/**
 * Payloads by Jackson: records and java.time types, exact numbers, unknown fields tolerated, no class names and no
 * polymorphic typing. Thread-safe.
 */
public final class JacksonPayloadCodec implements PayloadCodec {

    private final ObjectMapper mapper;

    private JacksonPayloadCodec(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    public static JacksonPayloadCodec ofDefaults() {
        return new JacksonPayloadCodec(JsonMapper.builder()
                .addModule(new JavaTimeModule())
                .addModule(new Jdk8Module())
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .build());
    }

    /** With a mapper of the user's own; it decides what is tolerated and how numbers and times are written. */
    public static JacksonPayloadCodec of(ObjectMapper mapper) {
        return new JacksonPayloadCodec(mapper.copy());
    }

    @Override
    public String encode(Object payload) {
        try {
            return mapper.writeValueAsString(payload);
        } catch (JsonProcessingException unwritable) {
            throw new InvalidPayloadException(
                    "a payload of " + payload.getClass().getName() + " can't be written as JSON" + where(unwritable)
                            + "; use a record of plain values");
        }
    }

    @Override
    public <P> P decode(String json, Class<P> payloadClass) {
        try {
            P payload = mapper.readValue(json, payloadClass);
            if (payload == null) {
                throw new InvalidPayloadException("the stored payload is null, not a " + payloadClass.getName());
            }
            return payload;
        } catch (JsonProcessingException unreadable) {
            throw new InvalidPayloadException("the stored payload can't be read as " + payloadClass.getName()
                    + where(unreadable) + "; mend the class or the payload and enqueue it again");
        }
    }

    /** The field and the type expected there; never the value, and never Jackson's message, which quotes it. */
    private static String where(JsonProcessingException problem) {
        if (!(problem instanceof JsonMappingException mapping)) {
            return "";
        }
        String path = mapping.getPath().stream()
                .map(step -> step.getFieldName() == null ? Integer.toString(step.getIndex()) : step.getFieldName())
                .collect(Collectors.joining("."));
        String at = path.isEmpty() ? "" : " at field " + path;
        boolean knowsType =
                mapping instanceof MismatchedInputException mismatched && mismatched.getTargetType() != null;
        return knowsType
                ? at + " (a "
                        + ((MismatchedInputException) mapping).getTargetType().getTypeName() + " is expected)"
                : at;
    }
}
