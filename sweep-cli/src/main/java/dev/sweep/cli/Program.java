package dev.sweep.cli;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A program of the user's that runs tasks, found before anything is claimed.
 *
 * @param path absolute
 * @param arguments the same at every run
 */
record Program(Path path, List<String> arguments) {

    Program {
        arguments = List.copyOf(arguments);
    }

    /** Finds the program as a shell would: by its path, or by its name on the PATH. */
    static Program find(String name, List<String> arguments, Map<String, String> environment) {
        try {
            return candidates(name, environment)
                    .filter(path -> Files.isRegularFile(path) && Files.isExecutable(path))
                    .findFirst()
                    .map(path -> new Program(path.toAbsolutePath(), arguments))
                    .orElseThrow(() -> notFound(name));
        } catch (InvalidPathException noPath) {
            throw new CliException(ExitCode.BAD_INPUT, "--exec '" + name + "' is not a path", noPath);
        }
    }

    List<String> commandLine() {
        List<String> words = new ArrayList<>();
        words.add(path.toString());
        words.addAll(arguments);
        return words;
    }

    private static Stream<Path> candidates(String name, Map<String, String> environment) {
        if (name.contains("/") || name.contains(File.separator)) {
            return Stream.of(Path.of(name));
        }
        return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name));
    }

    private static CliException notFound(String name) {
        String where = name.contains("/") ? "no program that can be run" : "not on the PATH";
        return CliException.badInput(
                "--exec '" + name + "' is " + where + "; give its path, such as ./handle.sh, and make it executable");
    }
}
