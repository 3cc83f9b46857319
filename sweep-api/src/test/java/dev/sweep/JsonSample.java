package dev.sweep;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import org.jspecify.annotations.Nullable;

/**
 * JSON text as anybody may write it, with what it means: maps, lists, strings, booleans, null, and a {@link BigDecimal}
 * for every number, so that equal means equal in value and in scale. Now and then it holds what can't be stored.
 */
record JsonSample(String text, @Nullable Object meaning) {

    private static final int MAX_DEPTH = 4;
    private static final List<String> STORABLE = List.of(
            "a", "Z", "0", " ", "/", "\"", "\\", "\t", "\n", "\u0001", "\u007f", "é", "中", "\u2028", "\uFEFF", "😀");
    private static final List<String> UNSTORABLE = List.of("\u0000", "\ud800", "\udc00");

    // Built by hand from the random source: nested arbitraries cost seconds a sample, for shrinking that we can spare.
    static Arbitrary<JsonSample> values() {
        return Arbitraries.randomValue(random -> value(random, 0));
    }

    static Arbitrary<JsonSample> objects() {
        return Arbitraries.randomValue(random -> object(random, 0));
    }

    private static JsonSample value(Random random, int depth) {
        return switch (random.nextInt(depth < MAX_DEPTH ? 7 : 5)) {
            case 0 -> new JsonSample("null", null);
            case 1 -> new JsonSample(" true", true);
            case 2 -> text(random);
            case 3, 4 -> number(random);
            case 5 -> array(random, depth);
            default -> object(random, depth);
        };
    }

    private static JsonSample array(Random random, int depth) {
        List<JsonSample> items = Stream.generate(() -> value(random, depth + 1))
                .limit(random.nextInt(5))
                .toList();
        List<@Nullable Object> meaning = new ArrayList<>();
        items.forEach(item -> meaning.add(item.meaning()));
        return new JsonSample(
                items.stream().map(JsonSample::text).collect(Collectors.joining(" ,", "[", "]")), meaning);
    }

    private static JsonSample object(Random random, int depth) {
        Map<String, @Nullable Object> meaning = new LinkedHashMap<>();
        List<String> fields = new ArrayList<>();
        for (int left = random.nextInt(5); left > 0; left--) {
            JsonSample key = text(random);
            JsonSample value = value(random, depth + 1);
            // Unique, or a later value would hide from the meaning that an earlier one can't be stored.
            if (!meaning.containsKey(key.meaning())) {
                meaning.put((String) key.meaning(), value.meaning());
                fields.add(key.text() + ":" + value.text());
            }
        }
        return new JsonSample(fields.stream().collect(Collectors.joining(",", "{", "\n}")), meaning);
    }

    private static JsonSample text(Random random) {
        List<String> pieces = Stream.generate(() -> oneOf(random, random.nextInt(100) == 0 ? UNSTORABLE : STORABLE))
                .limit(random.nextInt(8))
                .toList();
        String json = pieces.stream()
                .map(piece -> mustBeEscaped(piece) || random.nextInt(4) == 0 ? escaped(piece) : piece)
                .collect(Collectors.joining("", "\"", "\""));
        return new JsonSample(json, String.join("", pieces));
    }

    /** Mostly short; now and then with around a thousand digits, in the text or written out. */
    private static JsonSample number(Random random) {
        String number = random.nextInt(20) == 0 ? manyDigits(random) : fewDigits(random);
        return new JsonSample(number, new BigDecimal(number));
    }

    private static String manyDigits(Random random) {
        return random.nextBoolean() ? "-" + "7".repeat(upTo(1100, random)) : "0." + "30".repeat(upTo(550, random));
    }

    private static String fewDigits(Random random) {
        String fraction = random.nextBoolean() ? "." + "0".repeat(upTo(3, random)) + random.nextInt(1000) : "";
        String exponent = random.nextInt(4) == 0
                ? oneOf(random, List.of("E", "e+", "E-")) + upTo(random.nextBoolean() ? 20 : 1100, random)
                : "";
        return random.nextLong() + fraction + exponent;
    }

    private static int upTo(int max, Random random) {
        return 1 + random.nextInt(max);
    }

    private static String oneOf(Random random, List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static boolean mustBeEscaped(String piece) {
        char c = piece.charAt(0);
        return c < ' ' || c == '"' || c == '\\';
    }

    private static String escaped(String piece) {
        return piece.chars().mapToObj(c -> String.format("\\u%04x", c)).collect(Collectors.joining());
    }

    /** In ASCII: the channel to the build hangs on half of a surrogate pair. */
    @Override
    public String toString() {
        return text.chars()
                .mapToObj(c -> Character.toString(c))
                .map(c -> c.charAt(0) >= ' ' && c.charAt(0) <= '~' ? c : "<" + escaped(c) + ">")
                .collect(Collectors.joining());
    }
}
