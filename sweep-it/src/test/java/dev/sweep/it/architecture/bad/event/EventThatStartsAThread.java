package dev.sweep.it.architecture.bad.event;

import java.util.concurrent.ExecutorService;

public record EventThatStartsAThread(ExecutorService threads) {}
