package dev.sweep.jooq;

import dev.sweep.InvalidConfigurationException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The schema of one Sweep installation: any legal identifier, always written quoted.
 *
 * @param value as PostgreSQL stores it, without quotes; case matters
 */
record SchemaName(String value) {

    private static final int MAX_BYTES = 63;

    SchemaName {
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (value.isBlank()
                || bytes > MAX_BYTES
                || value.indexOf('\0') >= 0
                || value.startsWith("pg_")
                || value.contains("$sweep$")) {
            throw new InvalidConfigurationException(List.of("schema '" + value + "' is no usable schema name; use 1 to "
                    + MAX_BYTES + " bytes of UTF-8 that don't begin with pg_ nor contain $sweep$"));
        }
    }

    /** As SQL writes it. */
    String quoted() {
        return '"' + value.replace("\"", "\"\"") + '"';
    }

    /** The quoted name inside a text literal, for casts to regclass. */
    String quotedInText() {
        return quoted().replace("'", "''");
    }

    @Override
    public String toString() {
        return value;
    }
}
