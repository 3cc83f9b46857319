package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AnnouncerTest {

    private final BlockingQueue<Set<String>> sent = new LinkedBlockingQueue<>();

    @Test
    void whatGathersDuringASendGoesInOneMoreAndEachTextOnce() throws Exception {
        CountDownLatch isSending = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        try (Announcer announcer = new Announcer(texts -> {
            sent.add(texts);
            isSending.countDown();
            mayGoOn.await();
        })) {
            announcer.announce("a");
            isSending.await();
            for (int i = 0; i < 10_000; i++) {
                announcer.announce("a");
                announcer.announce("b");
            }
            mayGoOn.countDown();
            assertThat(next()).containsExactly("a");
            assertThat(next()).containsExactlyInAnyOrder("a", "b");
        }
        assertThat(sent).isEmpty();
    }

    @Test
    void aSendThatFailsIsForgottenAndLaterOnesGoOut() throws Exception {
        AtomicInteger tries = new AtomicInteger();
        try (Announcer announcer = new Announcer(texts -> {
            sent.add(texts);
            if (tries.getAndIncrement() == 0) {
                throw new SQLException("connection refused");
            }
        })) {
            announcer.announce("lost");
            assertThat(next()).containsExactly("lost");
            announcer.announce("later");
            assertThat(next()).containsExactly("later");
        }
    }

    @Test
    void closingSendsWhatIsLeftAndEndsTheThread() throws Exception {
        List<Thread> senders = new ArrayList<>();
        Announcer announcer = new Announcer(texts -> {
            senders.add(Thread.currentThread());
            sent.add(texts);
        });
        announcer.announce("first");
        next();
        announcer.announce("last");
        announcer.close();
        assertThat(next()).containsExactly("last");
        senders.get(0).join(TimeUnit.SECONDS.toMillis(30));
        assertThat(senders.get(0).isAlive()).isFalse();
        assertThat(senders.get(0).isDaemon()).isTrue();

        announcer.announce("too late");
        announcer.close();
        assertThat(sent).isEmpty();
    }

    @Test
    void aThreadWithNothingToSayEndsAndAnotherOneTakesItsPlace() throws Exception {
        List<Thread> senders = new CopyOnWriteArrayList<>();
        try (Announcer announcer = new Announcer(texts -> {
            senders.add(Thread.currentThread());
            sent.add(texts);
        })) {
            announcer.announce("first");
            next();
            senders.get(0).join(TimeUnit.SECONDS.toMillis(30));
            assertThat(senders.get(0).isAlive()).isFalse();
            announcer.announce("second");
            assertThat(next()).containsExactly("second");
            assertThat(senders).doesNotHaveDuplicates().hasSize(2);
        }
    }

    @Test
    void closingDoesNotWaitForASendThatHangs() throws Exception {
        CountDownLatch isSending = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Announcer announcer = new Announcer(texts -> {
            isSending.countDown();
            never.await();
        });
        announcer.announce("a");
        isSending.await();
        announcer.close();
        never.countDown();
    }

    @Test
    void noThreadIsStartedBeforeThereIsSomethingToSay() {
        try (Announcer announcer = new Announcer(sent::add)) {
            assertThat(announcer).hasFieldOrPropertyWithValue("thread", null);
        }
    }

    private Set<String> next() throws InterruptedException {
        return sent.poll(30, TimeUnit.SECONDS);
    }
}
