/** Sweep as a whole on real PostgreSQL, and its documentation held against it. */
@NullMarked
package dev.sweep.it;

import org.jspecify.annotations.NullMarked;
