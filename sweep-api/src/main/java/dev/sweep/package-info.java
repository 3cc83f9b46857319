/** What an application calls: describe a task, enqueue it in a transaction of its own, handle it. */
@NullMarked
package dev.sweep;

import org.jspecify.annotations.NullMarked;
