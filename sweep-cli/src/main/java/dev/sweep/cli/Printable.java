package dev.sweep.cli;

/**
 * Text that can't drive a terminal: control characters (ANSI escapes, C1), direction marks and lone surrogates are shown
 * as JSON escapes, so the result of a JSON text is the same JSON.
 */
final class Printable {

    private Printable() {}

    /** The text on one line, with everything that a terminal might obey made visible. */
    static String of(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
                shown.append(c).append(text.charAt(++i));
            } else if (isUnsafe(c)) {
                shown.append(escaped(c));
            } else {
                shown.append(c);
            }
        }
        return shown.toString();
    }

    /** The same, at most {@code width} characters; what is cut shows as three dots. */
    static String of(String text, int width) {
        String shown = of(text.length() > width ? text.substring(0, width) : text);
        boolean isCut = text.length() > width || shown.length() > width;
        return isCut ? shown.substring(0, Math.min(shown.length(), width - 3)) + "..." : shown;
    }

    private static boolean isUnsafe(char c) {
        return Character.isISOControl(c)
                || Character.isSurrogate(c)
                || Character.getType(c) == Character.FORMAT
                || c == '\u2028'
                || c == '\u2029';
    }

    private static String escaped(char c) {
        return switch (c) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> String.format("\\u%04x", (int) c);
        };
    }
}
