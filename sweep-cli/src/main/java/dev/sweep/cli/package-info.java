/**
 * The {@code sweep} command. {@link dev.sweep.cli.Main} starts {@link dev.sweep.cli.SweepCommand}, which has one class per
 * sub-command. Results go to stdout, everything else to stderr; {@link dev.sweep.cli.ExitCode} lists how a command ends.
 */
@NullMarked
package dev.sweep.cli;

import org.jspecify.annotations.NullMarked;
