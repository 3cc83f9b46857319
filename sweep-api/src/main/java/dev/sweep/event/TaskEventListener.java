package dev.sweep.event;

/** SPI: hears what workers do; logs and metrics are listeners. Called on engine threads: be quick, never block. */
@FunctionalInterface
public interface TaskEventListener {

    /** What it throws is dropped. */
    void onEvent(TaskEvent event);
}
