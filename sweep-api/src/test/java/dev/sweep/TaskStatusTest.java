package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class TaskStatusTest {

    @Test
    void speaksTheWordsOfTheSqlInterface() {
        assertThat(Arrays.stream(TaskStatus.values()).map(TaskStatus::word))
                .containsExactly("pending", "processing", "succeeded", "failed", "cancelled");
        for (TaskStatus status : TaskStatus.values()) {
            assertThat(TaskStatus.ofWord(status.word())).isEqualTo(status);
        }
    }

    @Test
    void itsWordsDoNotDependOnTheLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr"));
            assertThat(TaskStatus.PENDING.word()).isEqualTo("pending");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void threeAreFinal() {
        assertThat(Arrays.stream(TaskStatus.values()).filter(TaskStatus::isFinal))
                .containsExactly(TaskStatus.SUCCEEDED, TaskStatus.FAILED, TaskStatus.CANCELLED);
    }

    @Test
    void anUnknownWordIsRefusedWithTheKnownOnes() {
        for (String word : new String[] {"done", "", "PENDING", " pending"}) {
            assertThatThrownBy(() -> TaskStatus.ofWord(word))
                    .isInstanceOf(InvalidTaskException.class)
                    .hasMessage("status '" + word
                            + "' is unknown; use one of pending, processing, succeeded, failed, cancelled");
        }
    }
}
