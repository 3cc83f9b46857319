/** What the author of a store or of a payload codec implements. */
@NullMarked
package dev.sweep.spi;

import org.jspecify.annotations.NullMarked;
