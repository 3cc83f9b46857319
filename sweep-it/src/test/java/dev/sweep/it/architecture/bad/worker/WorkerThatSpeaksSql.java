package dev.sweep.it.architecture.bad.worker;

import javax.sql.DataSource;

public record WorkerThatSpeaksSql(DataSource database) {}
