package dev.sweep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ContactTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Moment START = new Moment(1_000_000_000L, 1_000L);

    private final Contact contact = new Contact(LEASE);

    @Test
    void aWorkerThatHasJustStartedJudgesAtOnce() {
        assertThat(contact.isSteady(START)).isTrue();
        contact.made(START);
        assertThat(contact.isSteady(START)).isTrue();
    }

    @Test
    void beatsThatComeInTimeKeepItSteady() {
        for (int second = 0; second < 120; second += 10) {
            contact.made(after(second));
            assertThat(contact.isSteady(after(second + 9))).isTrue();
        }
    }

    @Test
    void itIsOutOfTouchOnceHalfALeaseHasPassedWithoutABeat() {
        contact.made(START);
        assertThat(contact.isSteady(after(15))).isTrue();
        assertThat(contact.isSteady(after(16))).isFalse();
        assertThat(contact.isSteady(after(1_000))).isFalse();
    }

    @Test
    void afterAGapOthersHaveALeaseToComeBack() {
        contact.made(START);
        for (int second = 40; second <= 70; second += 10) {
            contact.made(after(second));
            assertThat(contact.isSteady(after(second)))
                    .as("%d s after it was back", second - 40)
                    .isFalse();
        }
        contact.made(after(71));
        assertThat(contact.isSteady(after(71))).isTrue();
    }

    @Test
    void eachGapCounts() {
        contact.made(START);
        contact.made(after(40));
        contact.made(after(60));
        assertThat(contact.isSteady(after(75)))
                .as("a lease after the first gap, right after the second")
                .isFalse();
    }

    private static Moment after(int seconds) {
        return START.plus(Duration.ofSeconds(seconds));
    }
}
