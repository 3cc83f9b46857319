/**
 * Sweep as a whole on real PostgreSQL, and its documentation held against it. Many tests are a case that other task queues
 * have met, with real workers, some in processes of their own; {@link dev.sweep.it.Invariants} judges the end of each.
 */
@NullMarked
package dev.sweep.it;

import org.jspecify.annotations.NullMarked;
