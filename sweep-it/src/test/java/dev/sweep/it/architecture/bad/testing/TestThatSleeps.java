package dev.sweep.it.architecture.bad.testing;

import org.junit.jupiter.api.Disabled;

public final class TestThatSleeps {

    @Disabled("an example of what is banned")
    void sleeps() throws InterruptedException {
        Thread.sleep(1);
    }
}
