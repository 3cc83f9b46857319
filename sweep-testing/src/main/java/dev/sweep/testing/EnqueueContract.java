package dev.sweep.testing;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sweep.Enqueued;
import dev.sweep.JacksonPayloadCodec;
import dev.sweep.Json;
import dev.sweep.NewTask;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.spi.ClaimedTask;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is stored when tasks are enqueued. */
abstract class EnqueueContract extends ContractPart {

    private static final long MAX_EXACT_IN_JSON = (1L << 53) - 1;
    private static final Instant ID_EPOCH = Instant.parse("2020-01-01T00:00:00Z");
    private static final int ID_BITS_WITHIN_SECOND = 22;

    @Test
    void nothingInIsNothingOut() {
        assertThat(store().enqueue(List.of())).isEmpty();
        assertThat(claim().tasks()).isEmpty();
    }

    @Test
    void taskIsFoundAsItWasGiven() {
        Instant dueAt = Instant.parse("2100-02-03T04:05:06.789012Z");
        NewTask<Json> letter = MAIL.maxRetries(7)
                .with(Json.of("{\"to\":\"a@b.example\"}"))
                .queue("letters")
                .priority(9)
                .dueAt(dueAt)
                .header("tenant", "acme")
                .header("empty", "");

        TaskId alone = enqueued(letter.dedupKey("letter:1"));
        TaskId together = enqueue(mail(), letter.dedupKey("letter:2")).get(1).id();

        assertIsLetter(find(alone), alone, "letter:1", dueAt);
        assertIsLetter(find(together), together, "letter:2", dueAt);
    }

    private static void assertIsLetter(Task task, TaskId id, String key, Instant dueAt) {
        assertThat(task.id()).isEqualTo(id);
        assertThat(task.type()).isEqualTo("mail");
        assertThat(task.queue()).isEqualTo("letters");
        assertThat(task.priority()).isEqualTo(9);
        assertThat(task.status()).isEqualTo(TaskStatus.PENDING);
        assertThat(json(task.payload())).isEqualTo(json("{\"to\":\"a@b.example\"}"));
        assertThat(task.headers()).containsExactlyInAnyOrderEntriesOf(Map.of("tenant", "acme", "empty", ""));
        assertThat(task.dedupKey()).contains(key);
        assertThat(task.retryCount()).isZero();
        assertThat(task.maxRetries()).isEqualTo(7);
        assertThat(task.losses()).isZero();
        assertThat(task.error()).isEmpty();
        assertThat(task.dueAt()).isEqualTo(dueAt);
        assertThat(task.startedAt()).isEmpty();
        assertThat(task.finishedAt()).isEmpty();
    }

    @Test
    void taskWithoutKeyAndHeadersHasNone() {
        Task task = find(enqueued(mail()));

        assertThat(task.dedupKey()).isEmpty();
        assertThat(task.headers()).isEmpty();
    }

    @Test
    void payloadKeepsNumbersExactly() {
        String payload = "{\"amount\":1.10,\"long\":12345678901234567890.12,\"odd\":9007199254740993,\"tiny\":0.1,"
                + "\"huge\":123456789012345678901234567890,\"list\":[1,-2,3.000]}";
        TaskId id = enqueued(MAIL.with(Json.of(payload)));

        assertThat(json(find(id).payload())).isEqualTo(json(payload));
        assertThat(json(claimOne().payload())).isEqualTo(json(payload));
    }

    @Test
    void payloadMayBeAnyJsonValue() {
        List<String> payloads = List.of("{}", "[]", "[null]", "\"text\"", "\"\"", "17", "true", "false");
        for (String payload : payloads) {
            TaskId id = enqueued(MAIL.with(Json.of(payload)));
            assertThat(json(find(id).payload())).isEqualTo(json(payload));
        }
        TaskId id = enqueued(MAIL.with(Json.of("null")));
        assertThat(find(id).payload()).isEqualTo("null");
    }

    @Test
    void everyScriptAndEmojiSurvives() {
        String text =
                "Grüße, \u4f60\u597d, \u0645\u0631\u062d\u0628\u0627, \ud83d\ude80\ud83d\udc68\u200d\ud83d\udc69, \ufeff'\\\\%_$1?:x";
        TaskId id = enqueued(TaskType.json(text)
                .with(Json.of("{\"" + text + "\":\"" + text + "\"}"))
                .queue(text)
                .dedupKey(text)
                .header(text, text));

        Task task = find(id);
        ClaimedTask claimed = claim().types(text).queue(text, 1).one();

        assertThat(task.type()).isEqualTo(text).isEqualTo(claimed.type());
        assertThat(task.queue()).isEqualTo(text).isEqualTo(claimed.queue());
        assertThat(task.dedupKey()).contains(text);
        assertThat(task.headers()).isEqualTo(Map.of(text, text)).isEqualTo(claimed.headers());
        assertThat(json(task.payload()))
                .isEqualTo(json("{\"" + text + "\":\"" + text + "\"}"))
                .isEqualTo(json(claimed.payload()));
    }

    @Test
    void controlCharactersOfPayloadsAndHeadersSurvive() {
        String text = "tab\tnewline\nreturn\rescape\u001bdelete\u007f";
        TaskId id = enqueued(MAIL.with(Json.of("{\"text\":\"tab\\tnewline\\nescape\\u001b\"}"))
                .header("text", text));

        assertThat(find(id).headers()).containsEntry("text", text);
        assertThat(json(find(id).payload())).isEqualTo(Map.of("text", "tab\tnewline\nescape\u001b"));
    }

    @Test
    void payloadOfOneMebibyteSurvives() {
        String payload = "{\"text\":\"" + "0123456789abcdef".repeat(65_535) + "\"}";
        TaskId id = enqueued(MAIL.with(Json.of(payload)));

        assertThat(json(find(id).payload())).isEqualTo(json(payload));
        assertThat(json(claimOne().payload())).isEqualTo(json(payload));
    }

    @Test
    void fiveThousandTasksComeBackInTheOrderOfTheInput() {
        List<NewTask<Json>> tasks = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            NewTask<Json> task = MAIL.with(Json.of("{\"n\":" + i + "}"));
            tasks.add(i % 2 == 0 ? task : task.dedupKey("key-" + (5_000 - i)));
        }

        List<Enqueued> answers = enqueueAll(tasks);

        assertThat(answers).hasSize(5_000).allMatch(Enqueued::isNew);
        assertThat(answers.stream().map(Enqueued::id).collect(toSet())).hasSize(5_000);
        for (int i = 0; i < 5_000; i += 499) {
            assertThat(json(find(answers.get(i).id()).payload())).isEqualTo(Map.of("n", i));
        }
    }

    @Test
    void idsArePositiveAndExactAsJsonNumbers() {
        assertThat(enqueued(100, mail()))
                .doesNotHaveDuplicates()
                .allSatisfy(id -> assertThat(id.value()).isBetween(1L, MAX_EXACT_IN_JSON));
    }

    @Test
    void idsEmbedTheSecondOfCreation() {
        for (TaskId id : enqueued(20, mail())) {
            Instant embedded = ID_EPOCH.plusSeconds(id.value() >> ID_BITS_WITHIN_SECOND);
            assertThat(embedded).isEqualTo(find(id).createdAt().truncatedTo(ChronoUnit.SECONDS));
        }
    }

    @Test
    void taskWithoutDueTimeIsDueAtOnce() {
        TaskId id = enqueued(mail());

        assertThat(claim().ids()).containsExactly(id);
    }

    @Test
    void dueTimeInThePastIsKeptAndDueAtOnce() {
        Instant past = Instant.parse("2001-01-01T00:00:00Z");
        TaskId id = enqueued(mail().dueAt(past));

        assertThat(find(id).dueAt()).isEqualTo(past);
        assertThat(claim().ids()).containsExactly(id);
    }

    @Test
    void delayCountsFromTheEnqueueByTheStoresClock() {
        NewTask<Json> later = mail().delay(Duration.ofHours(2));

        TaskId alone = enqueued(later);
        TaskId together = enqueue(mail(), later).get(1).id();

        assertThat(List.of(find(alone), find(together))).allSatisfy(task -> {
            Duration delay = Duration.between(task.createdAt(), task.dueAt());
            assertThat(delay).isCloseTo(Duration.ofHours(2), Duration.ofSeconds(1));
        });
    }

    @Test
    void timesAreTheSameWhereverTheyAreRead() {
        Instant beyondMicros = Instant.parse("2025-03-08T23:59:59.999999999Z");
        TaskId id = enqueued(mail().dueAt(beyondMicros));

        Task first = find(id);
        Task second = find(id);
        Instant claimed = eventually(() -> claim().tasks(), tasks -> !tasks.isEmpty())
                .get(0)
                .dueAt();

        assertThat(second.createdAt()).isEqualTo(first.createdAt());
        assertThat(second.dueAt()).isEqualTo(first.dueAt()).isEqualTo(claimed);
        assertThat(first.dueAt()).isCloseTo(beyondMicros, within(1, ChronoUnit.MICROS));
        assertThat(first.createdAt()).isEqualTo(first.createdAt().truncatedTo(ChronoUnit.MICROS));
    }

    /** Parsed, so that spaces and the order of keys don't matter; decimals keep their scale. */
    private static Object json(String text) {
        return JacksonPayloadCodec.ofDefaults().decode(text, Object.class);
    }
}
