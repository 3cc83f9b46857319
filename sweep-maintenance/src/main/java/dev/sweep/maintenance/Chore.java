package dev.sweep.maintenance;

/** SPI: one kind of maintenance. */
public interface Chore {

    /** What it is called in the table {@code maintenance_chore}, in the log and on the command line. */
    String name();
}
