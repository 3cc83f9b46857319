package dev.sweep.jooq;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The channel of one installation, so that two in one database don't wake each other.
 *
 * @param name at most 63 bytes, as PostgreSQL wants it
 */
record WakeUpChannel(String name) {

    private static final int MAX_BYTES = 63;
    private static final int HASH_CHARS = 40;

    /** The schema's name is in it, or its hash where that would be too long; the two can't be confused. */
    static WakeUpChannel of(SchemaName schema) {
        String readable = "sweep:" + schema.value();
        return new WakeUpChannel(
                readable.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES
                        ? readable
                        : "sweep#" + hash(schema.value()));
    }

    /** As LISTEN wants it. */
    String quoted() {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest).substring(0, HASH_CHARS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
