package dev.sweep.it.architecture.bad.cli;

public record CommandThatIsUsed() {}
