package dev.sweep.it.architecture.bad.it;

public record IntegrationTestThatIsUsed() {}
