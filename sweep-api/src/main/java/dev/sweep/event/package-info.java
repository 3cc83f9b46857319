/** What happened to tasks, told to listeners; logs and metrics are built on it. */
@NullMarked
package dev.sweep.event;

import org.jspecify.annotations.NullMarked;
