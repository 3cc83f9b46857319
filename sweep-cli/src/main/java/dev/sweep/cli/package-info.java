/** The sweep command, one class per sub-command. */
@NullMarked
package dev.sweep.cli;

import org.jspecify.annotations.NullMarked;
