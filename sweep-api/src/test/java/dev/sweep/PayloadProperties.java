package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** What the gate accepts is never the poison of a later claim: the codec reads it, and reads what was written. */
class PayloadProperties {

    private final PayloadGate gate = new PayloadGate(16 << 20);
    private final JacksonPayloadCodec codec = JacksonPayloadCodec.ofDefaults();

    @Property
    void whatTheGateAcceptsIsReadAsTheTreeItMeans(@ForAll("values") JsonSample sample) {
        if (isAccepted(sample.text())) {
            assertThat(meaningOf(codec.decode(sample.text(), JsonNode.class))).isEqualTo(sample.meaning());
        }
    }

    @Property
    void whatTheGateAcceptsIsReadAsTheMapItMeans(@ForAll("objects") JsonSample sample) {
        if (isAccepted(sample.text())) {
            assertThat(meaningOf(codec.decode(sample.text(), Map.class))).isEqualTo(sample.meaning());
        }
    }

    @Property
    void theGateAcceptsExactlyWhatIsStorable(@ForAll("values") JsonSample sample) {
        boolean isPayload = sample.meaning() != null;
        // An escaped half of a pair and a bare one make a character in Java, but the bare one is none in UTF-8.
        boolean isUtf8 = isStorable(sample.text());
        assertThat(isAccepted(sample.text())).isEqualTo(isPayload && isUtf8 && isStorable(sample.meaning()));
    }

    /** A tree that was read is a payload like any other: written and read again, it is the same to the digit. */
    @Property
    void whatTheCodecWritesPassesTheGateAndIsReadBackEqual(@ForAll("objects") JsonSample sample) {
        if (isAccepted(sample.text())) {
            JsonNode tree = codec.decode(sample.text(), JsonNode.class);
            String written = codec.encode(tree);

            assertThat(isAccepted(written)).isTrue();
            assertThat(meaningOf(codec.decode(written, JsonNode.class))).isEqualTo(sample.meaning());
            assertThat(meaningOf(codec.decode(codec.encode(codec.decode(written, Map.class)), Map.class)))
                    .isEqualTo(sample.meaning());
        }
    }

    @Provide
    Arbitrary<JsonSample> values() {
        return JsonSample.values();
    }

    @Provide
    Arbitrary<JsonSample> objects() {
        return JsonSample.objects();
    }

    private boolean isAccepted(String json) {
        try {
            gate.checkPayload("any", json);
            return true;
        } catch (InvalidPayloadException refused) {
            return false;
        }
    }

    private static boolean isStorable(@Nullable Object meaning) {
        if (meaning instanceof Map<?, ?> fields) {
            return fields.entrySet().stream()
                    .allMatch(field -> isStorable(field.getKey()) && isStorable(field.getValue()));
        }
        if (meaning instanceof List<?> items) {
            return items.stream().allMatch(PayloadProperties::isStorable);
        }
        if (meaning instanceof String text) {
            return text.indexOf('\0') < 0
                    && text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
        }
        return !(meaning instanceof BigDecimal number) || hasAtMostAThousandDigits(number);
    }

    private static boolean hasAtMostAThousandDigits(BigDecimal number) {
        long digits = number.toPlainString().chars().filter(Character::isDigit).count();
        return Math.max(digits, number.precision()) <= 1000;
    }

    /** The value in the terms of {@link JsonSample#meaning}. */
    private static @Nullable Object meaningOf(@Nullable Object value) {
        if (value instanceof JsonNode node) {
            return meaningOf(node);
        }
        if (value instanceof Map<?, ?> fields) {
            Map<Object, @Nullable Object> meaning = new LinkedHashMap<>();
            fields.forEach((name, field) -> meaning.put(name, meaningOf(field)));
            return meaning;
        }
        if (value instanceof List<?> items) {
            List<@Nullable Object> meaning = new ArrayList<>();
            items.forEach(item -> meaning.add(meaningOf(item)));
            return meaning;
        }
        if (value instanceof Integer || value instanceof Long) {
            return BigDecimal.valueOf(((Number) value).longValue());
        }
        return value instanceof BigInteger big ? new BigDecimal(big) : value;
    }

    private static @Nullable Object meaningOf(JsonNode node) {
        if (node.isObject()) {
            Map<String, @Nullable Object> meaning = new LinkedHashMap<>();
            node.properties().forEach(field -> meaning.put(field.getKey(), meaningOf(field.getValue())));
            return meaning;
        }
        if (node.isArray()) {
            List<@Nullable Object> meaning = new ArrayList<>();
            node.forEach(item -> meaning.add(meaningOf(item)));
            return meaning;
        }
        if (node.isNumber()) {
            return node.decimalValue();
        }
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        return node.isNull() ? null : node.textValue();
    }
}
