package dev.sweep;

/** Cuts long text down to what a message can bear, never through a surrogate pair. */
final class Excerpt {

    private Excerpt() {}

    /** The first {@code max} characters. */
    static String head(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        return text.substring(0, Character.isLowSurrogate(text.charAt(max)) ? max - 1 : max) + "...";
    }

    /** The last {@code max} characters. */
    static String tail(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int start = text.length() - max;
        return "..." + text.substring(Character.isLowSurrogate(text.charAt(start)) ? start + 1 : start);
    }
}
