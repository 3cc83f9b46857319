package dev.sweep;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.PropertyBindingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import dev.sweep.spi.PayloadCodec;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Payloads by Jackson: records and java.time types, no class names and no default typing. Thread-safe.
 *
 * <p>The default mapper keeps numbers exact (scale included) and times with their zone. It tolerates unknown fields, and a
 * missing object is null, so that classes can gain and lose fields while tasks wait; a missing or null number or boolean
 * is refused, and so are a fraction for an integer field and a number for an enum. NaN and the infinities are written as
 * the texts {@code "NaN"}, {@code "Infinity"} and {@code "-Infinity"}, which a {@code double} field reads back. A class
 * without visible fields is refused, unless it is a record without components.
 */
public final class JacksonPayloadCodec implements PayloadCodec {

    /** Enough to find the field, and a message that fits on a screen even if a payload contains itself. */
    private static final int MAX_PATH_LENGTH = 200;

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
                .enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
                .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .build());
    }

    /** With a copy of a mapper of the user's own; it decides what is tolerated and how numbers and times are written. */
    public static JacksonPayloadCodec of(ObjectMapper mapper) {
        return new JacksonPayloadCodec(mapper.copy());
    }

    @Override
    public String encode(Object payload) {
        try {
            return mapper.writeValueAsString(payload);
        } catch (JsonProcessingException | RuntimeException unwritable) {
            throw new InvalidPayloadException(
                    "a payload of " + payload.getClass().getName()
                            + " can't be written as JSON" + where(unwritable) + why(unwritable)
                            + "; use a record of plain values");
        }
    }

    @Override
    public <P> P decode(String json, Class<P> payloadClass) {
        P payload = read(json, payloadClass);
        if (payload == null) {
            throw new InvalidPayloadException("the stored payload is null, not a " + payloadClass.getName());
        }
        return payload;
    }

    private <P> @Nullable P read(String json, Class<P> payloadClass) {
        try {
            return mapper.readValue(json, payloadClass);
        } catch (JsonProcessingException | RuntimeException unreadable) {
            throw new InvalidPayloadException("the stored payload can't be read as " + payloadClass.getName()
                    + where(unreadable) + why(unreadable)
                    + "; mend the class or the payload and enqueue it again");
        }
    }

    private static String where(Exception problem) {
        if (!(problem instanceof JsonMappingException mapping)) {
            return "";
        }
        String path = mapping.getPath().stream()
                .map(step -> step.getFieldName() == null ? Integer.toString(step.getIndex()) : step.getFieldName())
                .collect(Collectors.joining("."));
        return path.isEmpty() ? "" : " at field " + Excerpt.head(path, MAX_PATH_LENGTH);
    }

    /** The type that was expected, or what was thrown; never the value, and never a message, which may quote it. */
    private static String why(Exception problem) {
        if (problem instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null) {
            String type = mismatch.getTargetType().getTypeName();
            return problem instanceof PropertyBindingException
                    ? " (unknown to " + type + ")"
                    : " (a " + type + " is expected)";
        }
        Throwable thrown = problem instanceof JsonProcessingException ? problem.getCause() : problem;
        return thrown == null ? "" : " (" + thrown.getClass().getName() + " was thrown)";
    }
}
