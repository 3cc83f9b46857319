package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MisfortuneTest {

    @Test
    void strikesTheAskedShareOfAttempts() {
        Misfortune misfortune = new Misfortune(7, 0.05);
        int struck = 0;
        for (int customer = 0; customer < 100_000; customer++) {
            struck += misfortune.strikes("mail", customer, 1) ? 1 : 0;
        }

        assertThat(struck).isBetween(4_700, 5_300);
    }

    @Test
    void isTheSameForTheSameSeedAndAnotherForOthers() {
        assertThat(pattern(new Misfortune(7, 0.5), "mail")).isEqualTo(pattern(new Misfortune(7, 0.5), "mail"));
        assertThat(pattern(new Misfortune(7, 0.5), "mail")).isNotEqualTo(pattern(new Misfortune(8, 0.5), "mail"));
        assertThat(pattern(new Misfortune(7, 0.5), "mail")).isNotEqualTo(pattern(new Misfortune(7, 0.5), "crm"));
    }

    @Test
    void failuresAreTheAttemptsBeforeTheFirstThatIsSpared() {
        Misfortune misfortune = new Misfortune(7, 0.5);
        for (int customer = 1; customer <= 1_000; customer++) {
            int failures = misfortune.failures("mail", customer);
            for (int attempt = 1; attempt <= failures; attempt++) {
                assertThat(misfortune.strikes("mail", customer, attempt)).isTrue();
            }
            assertThat(misfortune.strikes("mail", customer, failures + 1)).isFalse();
        }
    }

    @Test
    void neverAndAlwaysArePossible() {
        assertThat(new Misfortune(7, 0).failures("mail", 1)).isZero();
        assertThat(new Misfortune(7, 1).strikes("mail", 1, 1_000)).isTrue();
    }

    private static String pattern(Misfortune misfortune, String type) {
        StringBuilder pattern = new StringBuilder();
        for (int customer = 0; customer < 64; customer++) {
            pattern.append(misfortune.strikes(type, customer, 1) ? '1' : '0');
        }
        return pattern.toString();
    }
}
