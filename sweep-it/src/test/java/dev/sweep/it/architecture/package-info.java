/** The rules of the tree, each with a bad example that it was seen to reject (in {@code bad}). */
@NullMarked
package dev.sweep.it.architecture;

import org.jspecify.annotations.NullMarked;
