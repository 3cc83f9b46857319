/**
 * API: the engine. A {@link dev.sweep.worker.Worker} is one process's part in the work: a claimer fills a bounded buffer, slots
 * run handlers, a completer makes outcomes durable in batches, a heartbeat keeps the leases of what is held, and a
 * reclaimer takes back what vanished workers held. It knows the store only as the {@link dev.sweep.spi.TaskStore} SPI.
 *
 * <p>The right to a task is the store's to judge: an outcome counts only while the store knows its attempt. What this
 * process believes about its leases serves to stop early, never to decide.
 */
@NullMarked
package dev.sweep.worker;

import org.jspecify.annotations.NullMarked;
