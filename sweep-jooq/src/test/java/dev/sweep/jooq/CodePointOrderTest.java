package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodePointOrderTest {

    @Test
    void isTheOrderOfUtf8BytesWhichUtf16IsNot() {
        List<String> texts = new ArrayList<>(
                List.of("a", "ab", "b", "é", "\uFFFD", "\uE000", "😀", "😀a", "𐀀", "", "a\uFFFD", "a😀", "Z", "ß"));
        List<String> byBytes = new ArrayList<>(texts);
        byBytes.sort((l, r) ->
                Arrays.compareUnsigned(l.getBytes(StandardCharsets.UTF_8), r.getBytes(StandardCharsets.UTF_8)));
        texts.sort(CodePointOrder.INSTANCE);
        assertThat(texts).isEqualTo(byBytes);
        texts.sort(null);
        assertThat(texts).as("the order of Java's own comparison").isNotEqualTo(byBytes);
    }
}
