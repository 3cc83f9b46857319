package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfirmationTest {

    private final InputStream stdin = System.in;
    private final StringWriter err = new StringWriter();

    @AfterEach
    void reset() {
        System.clearProperty(Confirmation.INTERACTIVE);
        System.setIn(stdin);
    }

    @ParameterizedTest
    @CsvSource({"yes, true", "' YES ', true", "y, false", "no, false", "'', false"})
    void onlyTheWordYesIsConsent(String answer, boolean isConsent) {
        System.setProperty(Confirmation.INTERACTIVE, "true");
        System.setIn(new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));

        assertThat(asked()).contains(isConsent);
        assertThat(err.toString()).isEqualTo("2 tasks match. Now? Type yes: ");
    }

    @Test
    void nobodyIsAskedWhereNobodyIs() {
        assertThat(asked()).isEmpty();
        assertThat(err.toString()).isEmpty();
    }

    private Optional<Boolean> asked() {
        return Confirmation.onTerminal().ask("2 tasks match. Now?", new PrintWriter(err));
    }
}
