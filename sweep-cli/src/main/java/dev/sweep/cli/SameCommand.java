package dev.sweep.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The command that someone typed, with options added; to be copied into a shell. It never repeats a password. */
final class SameCommand {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:=@%+,-]+");
    private static final List<String> REPLACED = List.of("--up-to", "--at-most", "--password");
    private static final String DRY_RUN = "--dry-run";

    private SameCommand() {}

    /** @param words as they were typed, without the program's name */
    static String with(List<String> words, String... added) {
        List<String> kept = new ArrayList<>(List.of("sweep"));
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (REPLACED.contains(word)) {
                i++;
            } else if (!word.equals(DRY_RUN) && REPLACED.stream().noneMatch(option -> word.startsWith(option + "="))) {
                kept.add(word);
            }
        }
        kept.addAll(List.of(added));
        return String.join(" ", kept.stream().map(SameCommand::quoted).toList());
    }

    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
