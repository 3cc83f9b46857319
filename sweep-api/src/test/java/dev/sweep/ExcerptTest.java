package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExcerptTest {

    @Test
    void textThatFitsIsKept() {
        assertThat(Excerpt.head("abc", 3)).isEqualTo("abc");
        assertThat(Excerpt.tail("abc", 3)).isEqualTo("abc");
    }

    @Test
    void longerTextIsCut() {
        assertThat(Excerpt.head("abcd", 3)).isEqualTo("abc...");
        assertThat(Excerpt.tail("abcd", 3)).isEqualTo("...bcd");
    }

    @Test
    void aSurrogatePairIsNeverCutInTwo() {
        assertThat(Excerpt.head("ab😀cd", 3)).isEqualTo("ab...");
        assertThat(Excerpt.head("ab😀cd", 4)).isEqualTo("ab😀...");
        assertThat(Excerpt.tail("ab😀cd", 3)).isEqualTo("...cd");
        assertThat(Excerpt.tail("ab😀cd", 4)).isEqualTo("...😀cd");
    }
}
