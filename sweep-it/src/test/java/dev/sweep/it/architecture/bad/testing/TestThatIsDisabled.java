package dev.sweep.it.architecture.bad.testing;

import org.junit.jupiter.api.Disabled;

@Disabled("an example of what is banned")
public final class TestThatIsDisabled {}
