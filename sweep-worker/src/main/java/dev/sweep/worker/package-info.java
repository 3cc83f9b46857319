/** The engine: claims due tasks under a lease, runs their handlers, records their outcomes. */
@NullMarked
package dev.sweep.worker;

import org.jspecify.annotations.NullMarked;
