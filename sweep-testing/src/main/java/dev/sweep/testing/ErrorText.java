package dev.sweep.testing;

/** What a store keeps of an error message: cut to a bound, without what PostgreSQL's text can't hold. */
final class ErrorText {

    private static final int MAX_CHARS = 10_000;
    private static final char REPLACEMENT = '\uFFFD';

    private ErrorText() {}

    static String storable(String message) {
        StringBuilder text = new StringBuilder(Math.min(message.length(), MAX_CHARS));
        int i = 0;
        while (i < message.length()) {
            int codePoint = message.codePointAt(i);
            int chars = Character.charCount(codePoint);
            if (text.length() + chars > MAX_CHARS) {
                break;
            }
            text.appendCodePoint(isStorable(codePoint) ? codePoint : REPLACEMENT);
            i += chars;
        }
        return text.toString();
    }

    private static boolean isStorable(int codePoint) {
        return codePoint != 0 && (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE);
    }
}
