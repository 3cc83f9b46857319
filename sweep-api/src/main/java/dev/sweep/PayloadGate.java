package dev.sweep;

import java.nio.charset.StandardCharsets;

/**
 * Lets through only JSON that PostgreSQL can store as {@code jsonb} and every worker can read back: what passes here is
 * never the poison of a later claim. Checks the text, so a codec of the user's own is held to the same.
 */
final class PayloadGate {

    private final int maxPayloadBytes;

    PayloadGate(int maxPayloadBytes) {
        this.maxPayloadBytes = maxPayloadBytes;
    }

    /** Throws an {@link InvalidPayloadException} that says where and why, without quoting the payload. */
    void checkPayload(String type, String json) {
        check("the payload of a task of type " + type, json);
    }

    /** Like {@link #checkPayload}: a result is held to the bounds of a payload. */
    void checkResult(String type, String json) {
        check("the result of a task of type " + type, json);
    }

    private void check(String what, String json) {
        String flaw = flawOf(json);
        if (!flaw.isEmpty()) {
            throw new InvalidPayloadException(what + " " + flaw + "; nothing was written");
        }
    }

    /** What is wrong, as the end of a sentence; empty if nothing is. */
    private String flawOf(String json) {
        int bytes = json.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > maxPayloadBytes) {
            return "has " + bytes + " bytes; " + bound();
        }
        PayloadWalk walk = new PayloadWalk(json);
        String flaw = walk.firstFlaw();
        if (!flaw.isEmpty()) {
            return flaw;
        }
        long bytesWrittenOut = bytes + walk.digitsToBeAdded();
        if (bytesWrittenOut > maxPayloadBytes) {
            return "has " + bytesWrittenOut + " bytes when its numbers are written out; " + bound();
        }
        // The walk sees a pair where one half is an escape and the other is not; UTF-8 has no such thing.
        int half = Bounds.firstUnstorable(json);
        return half < 0 ? "" : "has half of a surrogate pair at index " + half + ", which PostgreSQL can't store";
    }

    private String bound() {
        return "at most " + maxPayloadBytes
                + " are allowed; store large data elsewhere and its address in the payload, or raise maxPayloadBytes";
    }
}
