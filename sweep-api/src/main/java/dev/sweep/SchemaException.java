package dev.sweep;

import org.jspecify.annotations.Nullable;

/** The database has no Sweep schema, an older one than this code needs, or one that needs newer code. Reaction: migrate or upgrade. */
public final class SchemaException extends SweepException {

    private static final long serialVersionUID = 1L;

    public SchemaException(String message) {
        super(message);
    }

    public SchemaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
