/** What keeps a store honest: the contract it must pass, and a PostgreSQL to pass it on. */
@NullMarked
package dev.sweep.testing;

import org.jspecify.annotations.NullMarked;
