package dev.sweep.it.architecture.bad;

import org.jooq.DSLContext;

public record ApiThatKnowsJooq(DSLContext context) {}
