/** The PostgreSQL store: every statement that Sweep sends, and the schema they run on. */
@NullMarked
package dev.sweep.jooq;

import org.jspecify.annotations.NullMarked;
