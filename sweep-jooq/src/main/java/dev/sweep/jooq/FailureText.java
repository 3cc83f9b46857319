package dev.sweep.jooq;

/** Makes any text storable: NUL and lone surrogates replaced, cut to a bound. Recording a failure can't fail for it. */
final class FailureText {

    private static final int MAX_CLASS_CHARS = 300;
    private static final int MAX_MESSAGE_CHARS = 8000;
    private static final char REPLACEMENT = '\uFFFD';

    private FailureText() {}

    static String errorClass(String name) {
        return storable(name, MAX_CLASS_CHARS);
    }

    static String message(String message) {
        return storable(message, MAX_MESSAGE_CHARS);
    }

    private static String storable(String text, int maxChars) {
        int length = Math.min(text.length(), maxChars);
        StringBuilder clean = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            boolean pair =
                    Character.isHighSurrogate(c) && i + 1 < length && Character.isLowSurrogate(text.charAt(i + 1));
            if (pair) {
                clean.append(c).append(text.charAt(++i));
            } else {
                clean.append(c == 0 || Character.isSurrogate(c) ? REPLACEMENT : c);
            }
        }
        return clean.toString();
    }
}
