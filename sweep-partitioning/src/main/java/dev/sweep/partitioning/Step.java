package dev.sweep.partitioning;

import java.util.List;

/**
 * One change of the layout: it happens whole or not at all, and after it everything works.
 *
 * @param what it does, for people
 * @param isScan whether it reads whole tables and locks nobody out; else it takes milliseconds, and may lock everybody out
 * @param sql what runs, in one transaction
 */
record Step(String what, boolean isScan, List<String> sql) {

    Step {
        sql = List.copyOf(sql);
    }
}
