package dev.sweep.it.architecture.bad;

import java.sql.PreparedStatement;

public record ApiThatSpeaksSql(PreparedStatement statement) {}
