package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TaskTypeTest {

    private final TaskType<String> type = TaskType.of("mail", String.class);

    @Test
    void hasTheDefaultsOfTheSqlInterface() {
        assertThat(type.name()).isEqualTo("mail");
        assertThat(type.aliases()).isEmpty();
        assertThat(type.payloadClass()).isEqualTo(String.class);
        assertThat(type.queue()).isEqualTo("default");
        assertThat(type.priority()).isEqualTo(1);
        assertThat(type.maxRetries()).isEqualTo(3);
        assertThat(type.maxLosses()).isEqualTo(5);
        assertThat(type).hasToString("mail");
    }

    @Test
    void everyChangeIsACopy() {
        TaskType<String> changed =
                type.alias("post").inQueue("bulk").priority(10).maxRetries(0).maxLosses(1000);

        assertThat(changed.name()).isEqualTo("mail");
        assertThat(changed.aliases()).containsExactly("post");
        assertThat(changed.queue()).isEqualTo("bulk");
        assertThat(changed.priority()).isEqualTo(10);
        assertThat(changed.maxRetries()).isZero();
        assertThat(changed.maxLosses()).isEqualTo(1000);
        hasTheDefaultsOfTheSqlInterface();
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        assertThatThrownBy(() -> type.priority(0)).hasMessageContainingAll("priority 0", "1 to 10");
        assertThatThrownBy(() -> type.priority(11)).hasMessageContainingAll("priority 11", "1 to 10");
        assertThatThrownBy(() -> type.maxRetries(-1)).hasMessageContainingAll("max retries -1", "0 to 1000000");
        assertThatThrownBy(() -> type.maxLosses(-1)).hasMessageContainingAll("max losses -1", "0 to 1000");
        assertThatThrownBy(() -> type.maxLosses(1001))
                .hasMessageContainingAll("max losses 1001", "must not start twice");
    }

    @Test
    void formerNamesAddUpAndTheNewOneIsWritten() {
        TaskType<String> renamed = type.alias("post").alias("letter").alias("post");

        assertThat(renamed.aliases()).containsExactlyInAnyOrder("post", "letter");
        assertThat(renamed.with("x").type().name()).isEqualTo("mail");
    }

    @Test
    void itsOwnNameIsNoAlias() {
        assertThatThrownBy(() -> type.alias("mail"))
                .isInstanceOf(InvalidTaskException.class)
                .hasMessage("alias 'mail' is the name of the type itself; use the name it had before");
    }

    @Test
    void thePayloadClassIsNeeded() {
        assertThatThrownBy(() -> TaskType.of("mail", null))
                .isInstanceOf(InvalidTaskException.class)
                .hasMessageContaining("payload class is null");
    }

    @Test
    void jsonPayloadsNeedText() {
        assertThat(TaskType.json("mail").payloadClass()).isEqualTo(Json.class);
        assertThatThrownBy(() -> Json.of(null))
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageContainingAll("null", "{}");
    }
}
