package dev.sweep.cli;

import java.util.List;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ParseResult.GroupMatch;
import picocli.CommandLine.RunLast;

/**
 * Refuses an option that is given twice. Picocli does so by itself, except in a group: there it begins a new group and
 * forgets all that was said for the first one.
 */
final class OptionsOnce {

    private OptionsOnce() {}

    /** Runs the command; a {@link ParameterException} names the option that is given twice. */
    static int execute(ParseResult arguments) {
        ParseResult last = arguments;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        for (ArgGroupSpec group : last.commandSpec().argGroups()) {
            check(group, last);
        }
        return new RunLast().execute(arguments);
    }

    private static void check(ArgGroupSpec group, ParseResult arguments) {
        List<GroupMatch> matches = arguments.findMatches(group).stream()
                .flatMap(container -> container.matches().stream())
                .toList();
        for (ArgSpec option : group.args()) {
            long given = matches.stream()
                    .filter(match -> !match.matchedValues(option).isEmpty())
                    .count();
            if (given > 1) {
                String name = option instanceof OptionSpec named ? named.longestName() : option.paramLabel();
                throw new ParameterException(
                        arguments.commandSpec().commandLine(), "option '" + name + "' is given twice; keep one");
            }
        }
    }
}
