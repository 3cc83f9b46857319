package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SameCommandTest {

    @Test
    void wordsStayAsTheyWereTypedAndOptionsAreAdded() {
        assertThat(SameCommand.with(List.of("cancel", "--type", "mail"), "--up-to", "42", "--yes"))
                .isEqualTo("sweep cancel --type mail --up-to 42 --yes");
    }

    @Test
    void boundsOfAnEarlierLookAreReplaced() {
        assertThat(SameCommand.with(List.of("cancel", "--up-to", "7", "--type=mail", "--at-most=9"), "--up-to", "42"))
                .isEqualTo("sweep cancel --type=mail --up-to 42");
    }

    @Test
    void whatWasOnlyTriedIsMeantNow() {
        assertThat(SameCommand.with(List.of("dead", "delete", "--dry-run", "--type", "mail"), "--up-to", "42", "--yes"))
                .isEqualTo("sweep dead delete --type mail --up-to 42 --yes");
    }

    @Test
    void passwordIsNeverRepeated() {
        assertThat(SameCommand.with(List.of("cancel", "--password", "secret", "--password=secret", "--queue", "q")))
                .isEqualTo("sweep cancel --queue q");
    }

    @Test
    void whatAShellWouldReadOtherwiseIsQuoted() {
        assertThat(SameCommand.with(List.of("cancel", "--type", "it's $HOME", "--queue", "")))
                .isEqualTo("sweep cancel --type 'it'\\''s $HOME' --queue ''");
    }
}
