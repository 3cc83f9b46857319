package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.RetryPolicy;
import dev.sweep.TaskType;
import dev.sweep.testing.SweepExtension;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The samples of docs/testing.md, letter by letter; this one runs. */
class TestingDocsTest {

    @Test
    void pageShowsTheSamplesAsTheyAre() throws IOException {
        assertThat(DocPage.read("docs/testing.md").blocks("java"))
                .containsExactly(Sample.of(TestingDocsTest.class) + "\n", Sample.of(TestingDocsIT.class) + "\n");
    }

    @Nested
    // sample {
    class RemindersTest {

        record Reminder(String address) {}

        static final TaskType<Reminder> REMINDER = TaskType.of("mail.reminder", Reminder.class);

        final List<String> sent = new ArrayList<>();

        @RegisterExtension
        final SweepExtension tasks = SweepExtension.inMemory()
                .worker(worker -> worker.retryPolicy(RetryPolicy.fixed(Duration.ofMinutes(1))))
                .handle(REMINDER, (reminder, context) -> {
                    if (context.attempt() == 1) {
                        throw new IOException("the mail server is busy");
                    }
                    sent.add(reminder.address());
                });

        @Test
        void remindsAfterADayAndTriesAgain() {
            tasks.sweep().enqueue(REMINDER.with(new Reminder("ada@example.org")).delay(Duration.ofDays(1)));

            tasks.drain().hasRun(0); // not due yet
            tasks.advance(Duration.ofDays(1)).drain().hasFailures(1);
            tasks.advance(Duration.ofMinutes(1)).drain().hasRun(1).hasNoFailures();

            assertThat(sent).containsExactly("ada@example.org");
        }

        @Test
        void remindsOnlyOnce() {
            var reminder = REMINDER.with(new Reminder("ada@example.org")).dedupKey("reminder:ada");
            tasks.sweep().enqueue(reminder);
            tasks.sweep().enqueue(reminder);

            tasks.assertThatTasks().enqueued(REMINDER).single().hasPayload(new Reminder("ada@example.org"));
        }
    }
    // } sample
}
