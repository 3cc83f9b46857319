package dev.sweep.maintenance;

import java.time.Duration;

/**
 * SPI: one kind of maintenance. Another process may run the same chore at the same moment, by hand or because this one lost
 * the lead unawares; so it must be harmless twice, as with locks that skip what is locked. A chore does its work in
 * transactions of its own, each bounded in rows, and ends when {@link ChoreContext#isTimeUp} says so.
 */
public interface Chore {

    /** What it is called in the table {@code maintenance_chore}, in the log and on the command line; never changes. */
    String name();

    /** How long after the end of a run that left nothing to do the next one is due, unless configured otherwise. */
    Duration interval();

    /**
     * Does what there is to do, or a part of it. What it throws is recorded and ends only this run; the position stays as
     * it was.
     */
    ChoreResult run(ChoreContext context) throws Exception;
}
