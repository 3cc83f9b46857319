package dev.sweep.jooq;

import java.util.Comparator;

/** The order of UTF-8 bytes, which is that of code points, and what PostgreSQL's collation "C" sorts by. */
enum CodePointOrder implements Comparator<String> {
    INSTANCE;

    @Override
    public int compare(String left, String right) {
        int length = Math.min(left.length(), right.length());
        for (int i = 0; i < length; i++) {
            char l = left.charAt(i);
            char r = right.charAt(i);
            if (l != r) {
                boolean bothOrNoneSurrogate = Character.isSurrogate(l) == Character.isSurrogate(r);
                return bothOrNoneSurrogate ? Character.compare(l, r) : Character.isSurrogate(l) ? 1 : -1;
            }
        }
        return Integer.compare(left.length(), right.length());
    }
}
