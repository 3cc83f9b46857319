/** Typed events of the engine and their listener. */
@NullMarked
package dev.sweep.event;

import org.jspecify.annotations.NullMarked;
