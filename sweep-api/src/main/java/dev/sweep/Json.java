package dev.sweep;

/**
 * A payload that is JSON text already: what the command line and programs without a payload class use. It is stored as
 * PostgreSQL's {@code jsonb}, so spaces, key order and repeated keys are not kept; numbers and strings are, exactly.
 *
 * @param text one JSON value
 */
public record Json(String text) {

    public Json {
        if (text == null) {
            throw new InvalidPayloadException("JSON text is null; it needs one JSON value, such as {}");
        }
    }

    public static Json of(String text) {
        return new Json(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
