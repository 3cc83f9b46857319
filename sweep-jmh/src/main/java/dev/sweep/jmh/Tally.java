package dev.sweep.jmh;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * How many tasks the measured calls were about: JMH makes {@code tasks} per second of it, by the time of the calls alone. A
 * batch's size is a parameter, which an annotation that divides the score could not know.
 */
@AuxCounters(AuxCounters.Type.OPERATIONS)
@State(Scope.Thread)
public class Tally {
    public long tasks;
}
