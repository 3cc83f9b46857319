package dev.sweep.maintenance;

import org.jooq.DSLContext;

/** One thing that the {@link Doctor} looks at. Only reads, and only what is bounded or small. */
interface Check {

    /** Lower case letters and hyphens; the heading of its runbook. */
    String name();

    /** Tells what it finds. In a transaction of its own, whose statements are bounded in time. */
    void examine(DSLContext sql, Findings found);
}
