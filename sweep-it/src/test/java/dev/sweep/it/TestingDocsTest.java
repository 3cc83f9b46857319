package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.RetryPolicy;
import dev.sweep.Sweep;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.testing.InMemoryTaskStore;
import dev.sweep.testing.SettableTime;
import dev.sweep.testing.SteppedEngine;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The sample of docs/testing.md, letter by letter. */
class TestingDocsTest {

    @Test
    void pageShowsTheSampleAsItIs() throws IOException {
        String sample = Sample.of(TestingDocsTest.class);

        assertThat(DocPage.read("docs/testing.md").blocks("java")).containsExactly(sample + "\n");
    }

    // sample {
    record Reminder(String address) {}

    static final TaskType<Reminder> REMINDER = TaskType.of("mail.reminder", Reminder.class);

    @Test
    void remindsAfterADayAndTriesAgain() {
        SettableTime time = SettableTime.at(Instant.parse("2030-01-31T08:00:00Z"));
        Sweep sweep = Sweep.create(InMemoryTaskStore.create(time));
        List<String> calls = new ArrayList<>();
        SteppedEngine engine = SteppedEngine.of(sweep)
                .retryPolicy(RetryPolicy.fixed(Duration.ofMinutes(1)))
                .handle(REMINDER, (reminder, context) -> {
                    calls.add(reminder.address() + " attempt " + context.attempt());
                    if (context.attempt() == 1) {
                        throw new IOException("the mail server is busy");
                    }
                });

        var task = sweep.enqueue(REMINDER.with(new Reminder("ada@example.org")).delay(Duration.ofDays(1)));

        assertThat(engine.drain()).isZero(); // not due yet
        time.advance(Duration.ofDays(1));
        assertThat(engine.drain()).isEqualTo(1); // fails, waits a minute
        time.advance(Duration.ofMinutes(1));
        assertThat(engine.drain()).isEqualTo(1);

        assertThat(calls).containsExactly("ada@example.org attempt 1", "ada@example.org attempt 2");
        assertThat(sweep.find(task.id()).orElseThrow().status()).isEqualTo(TaskStatus.SUCCEEDED);
    }
    // } sample
}
