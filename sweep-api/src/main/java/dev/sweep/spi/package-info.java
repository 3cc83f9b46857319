/**
 * SPI: what authors of stores and payload codecs implement. A {@link dev.sweep.spi.TaskStore} knows where every task is
 * and makes each move of its life atomic; optional abilities ({@link dev.sweep.spi.MigratableStore},
 * {@link dev.sweep.spi.TransactionalStore}, {@link dev.sweep.spi.WakingStore}) are interfaces of their own.
 */
@NullMarked
package dev.sweep.spi;

import org.jspecify.annotations.NullMarked;
