/**
 * For tests, of Sweep and of what is built on it. {@link dev.sweep.testing.InMemoryTaskStore} on
 * {@link dev.sweep.testing.SettableTime} replaces the database where a test is about something else;
 * {@link dev.sweep.testing.PostgresServer} gives a test a real one; {@link dev.sweep.testing.TaskStoreContract} is what
 * authors of a {@link dev.sweep.spi.TaskStore} run against it.
 *
 * <p>The first two need nothing but this module. The others need libraries that it does not bring along: each says in its
 * own comment which ones to add.
 */
@NullMarked
package dev.sweep.testing;

import org.jspecify.annotations.NullMarked;
