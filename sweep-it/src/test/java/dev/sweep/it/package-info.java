/**
 * Sweep as its users meet it: real workers, some in processes of their own, on a real PostgreSQL. Most tests are a case
 * that another task queue has met; its Javadoc names the case. {@link dev.sweep.it.Invariants} judges every test's end.
 */
@NullMarked
package dev.sweep.it;

import org.jspecify.annotations.NullMarked;
