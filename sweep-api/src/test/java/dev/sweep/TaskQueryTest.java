package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskQueryTest {

    @Test
    void asksForTheNewestFiftyOfAll() {
        TaskQuery query = TaskQuery.newest();

        assertThat(query.limit()).isEqualTo(50);
        assertThat(query.status()).isEmpty();
        assertThat(query.type()).isEmpty();
        assertThat(query.queue()).isEmpty();
        assertThat(query.before()).isEmpty();
    }

    @Test
    void everyChangeIsACopyThatKeepsTheEarlierChanges() {
        TaskQuery newest = TaskQuery.newest();
        TaskQuery query = newest.status(TaskStatus.FAILED)
                .type("mail")
                .queue("bulk")
                .before(TaskId.of(7))
                .limit(10_000);

        assertThat(query.status()).contains(TaskStatus.FAILED);
        assertThat(query.type()).contains("mail");
        assertThat(query.queue()).contains("bulk");
        assertThat(query.before()).contains(TaskId.of(7));
        assertThat(query.limit()).isEqualTo(10_000);
        assertThat(newest).usingRecursiveComparison().isEqualTo(TaskQuery.newest());
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 10_001, Integer.MAX_VALUE})
    void aLimitOutOfRangeIsRefused(int limit) {
        assertThatThrownBy(() -> TaskQuery.newest().limit(limit))
                .isInstanceOf(InvalidTaskException.class)
                .hasMessageContainingAll("limit " + limit, "1 to 10000", "before(id)");
        assertThat(TaskQuery.newest().limit(1).limit()).isEqualTo(1);
    }
}
