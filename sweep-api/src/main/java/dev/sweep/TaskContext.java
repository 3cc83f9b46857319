package dev.sweep;

import java.util.Map;

/** What a handler may know about the attempt that it runs. Immutable. */
public interface TaskContext {

    TaskId id();

    /** The name of the task's type. */
    String type();

    String queue();

    int priority();

    /** Which attempt this is, counted from 1; lost and snoozed runs are not counted. */
    int attempt();

    int maxRetries();

    Map<String, String> headers();

    /** A number that grows with every run of the task: give it to other systems, so that they refuse a stale run. */
    long fencingNumber();
}
