package dev.sweep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.event.TaskEvent;
import dev.sweep.event.TaskEvent.LoopFailed;
import dev.sweep.event.TaskEvent.LoopRecovered;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopTest {

    private static final Pace PACE = new Pace(Duration.ofMillis(1), Duration.ofMillis(1));

    private final BlockingQueue<TaskEvent> told = new LinkedBlockingQueue<>();
    private final EventPublisher events = new EventPublisher("w", List.of(told::add));
    private final Contact contact = new Contact(Duration.ofSeconds(30));
    private final AtomicInteger turns = new AtomicInteger();
    private final CountDownLatch idle = new CountDownLatch(20);
    private Loop loop = new Loop("idler", PACE, events, this::failThenAskNothing);

    @AfterEach
    void stop() {
        loop.stop();
        loop.join(Deadline.in(Duration.ofSeconds(10)));
    }

    @Test
    void aTurnThatAsksNothingDoesNotEndAnOutage() throws InterruptedException {
        loop.start();
        assertThat(told.poll(10, TimeUnit.SECONDS)).isInstanceOf(LoopFailed.class);
        assertThat(idle.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(told).isEmpty();
        assertThat(loop.health().fault())
                .hasValueSatisfying(fault -> assertThat(fault).contains("away"));
    }

    @Test
    void itEndsOnceABeatIsAnswered() throws InterruptedException {
        loop.start();
        assertThat(told.poll(10, TimeUnit.SECONDS)).isInstanceOf(LoopFailed.class);
        contact.made(Moment.now());
        assertThat(told.poll(10, TimeUnit.SECONDS)).isInstanceOf(LoopRecovered.class);
        assertThat(loop.health().fault()).isEmpty();
    }

    @Test
    void aTurnThatAsksAndIsAnsweredEndsIt() throws InterruptedException {
        loop = new Loop("asker", PACE, events, () -> {
            failAtFirst();
            return Duration.ofMillis(1);
        });
        loop.start();
        assertThat(told.poll(10, TimeUnit.SECONDS)).isInstanceOf(LoopFailed.class);
        assertThat(told.poll(10, TimeUnit.SECONDS)).isInstanceOf(LoopRecovered.class);
    }

    private Duration failThenAskNothing() {
        failAtFirst();
        loop.asksNothing(contact);
        idle.countDown();
        return Duration.ofMillis(1);
    }

    private void failAtFirst() {
        if (turns.getAndIncrement() == 0) {
            throw new IllegalStateException("the database is away");
        }
    }
}
