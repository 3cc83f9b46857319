package dev.sweep.spi;

/** Makes any text storable: NUL and halves of surrogate pairs replaced, cut to a bound. Recording a failure can't fail for it. */
final class StorableText {

    static final int MAX_NAME_CHARS = 300;
    static final int MAX_MESSAGE_CHARS = 8_000;
    private static final char REPLACEMENT = '\uFFFD';

    private StorableText() {}

    static String name(String text) {
        return storable(text, MAX_NAME_CHARS);
    }

    static String message(String text) {
        return storable(text, MAX_MESSAGE_CHARS);
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
