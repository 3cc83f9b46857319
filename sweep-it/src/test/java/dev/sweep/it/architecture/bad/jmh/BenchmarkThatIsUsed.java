package dev.sweep.it.architecture.bad.jmh;

public record BenchmarkThatIsUsed() {}
