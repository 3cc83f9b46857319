package dev.sweep.cli.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What Linux tells of processes in {@code /proc}. */
final class ProcessTimes {

    private static final Path PROC = Path.of("/proc");
    private static final long TICK_NANOS = 10_000_000;
    /** Counted behind the name, which may hold anything. */
    private static final int PARENT = 1;

    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;
    private static final int REAPED_USER_TICKS = 13;
    private static final int REAPED_SYSTEM_TICKS = 14;

    private ProcessTimes() {}

    static boolean areThere() {
        return Files.isReadable(PROC.resolve("self/stat"));
    }

    /** Empty: it has gone. */
    static Optional<Long> parentOf(long pid) {
        return stat(pid).map(fields -> Long.valueOf(fields.get(PARENT)));
    }

    static List<Long> childrenOf(long parent) {
        return read(parent, "task/" + parent + "/children")
                .map(text -> Arrays.stream(text.strip().split(" +", -1))
                        .filter(pid -> !pid.isEmpty())
                        .map(Long::valueOf)
                        .toList())
                .orElseGet(() -> childrenByScan(parent));
    }

    /** Where the kernel does not keep lists of children. */
    private static List<Long> childrenByScan(long parent) {
        try (Stream<Path> entries = Files.list(PROC)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.chars().allMatch(Character::isDigit))
                    .map(Long::valueOf)
                    .filter(pid -> parentOf(pid).filter(of -> of == parent).isPresent())
                    .toList();
        } catch (IOException unreadable) {
            return List.of();
        }
    }

    /** How it calls itself; PostgreSQL says what its processes are for. Empty text: it has gone. */
    static String titleOf(long pid) {
        return read(pid, "cmdline").orElse("").replace('\0', ' ').strip();
    }

    /** The CPU time of a process, exact where the kernel keeps it so, else in ticks of 10 ms. Empty: it has gone. */
    static Optional<Long> nanosOf(long pid) {
        Optional<Long> exact = read(pid, "schedstat")
                .map(text -> Long.valueOf(text.split(" ", -1)[0]))
                .filter(nanos -> nanos > 0);
        return exact.or(() -> stat(pid).map(fields -> ticks(fields, USER_TICKS, SYSTEM_TICKS)));
    }

    /** The CPU time of those children that have ended. */
    static long reapedNanosOf(long parent) {
        return stat(parent)
                .map(fields -> ticks(fields, REAPED_USER_TICKS, REAPED_SYSTEM_TICKS))
                .orElse(0L);
    }

    private static long ticks(List<String> fields, int one, int other) {
        return (Long.parseLong(fields.get(one)) + Long.parseLong(fields.get(other))) * TICK_NANOS;
    }

    private static Optional<List<String>> stat(long pid) {
        return read(pid, "stat")
                .map(text -> List.of(text.substring(text.lastIndexOf(')') + 2).split(" ", -1)));
    }

    private static Optional<String> read(long pid, String file) {
        try {
            return Optional.of(
                    Files.readString(PROC.resolve(Long.toString(pid)).resolve(file), StandardCharsets.UTF_8));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }
}
