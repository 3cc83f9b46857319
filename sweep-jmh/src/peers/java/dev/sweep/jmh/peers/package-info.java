/** Others' task queues as contenders of the bench, each at its best documented settings. */
@NullMarked
package dev.sweep.jmh.peers;

import org.jspecify.annotations.NullMarked;
