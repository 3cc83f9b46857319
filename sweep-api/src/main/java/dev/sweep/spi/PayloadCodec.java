package dev.sweep.spi;

/** SPI: turns payloads into JSON text and back. Implementations are thread-safe and write no class names. */
public interface PayloadCodec {

    /**
     * One JSON value.
     *
     * @throws dev.sweep.InvalidPayloadException if the object can't be written
     */
    String encode(Object payload);

    /**
     * The object that {@code json} was made of; unknown fields are tolerated.
     *
     * @throws dev.sweep.InvalidPayloadException if it doesn't fit the class; the message names the field, never its value
     */
    <P> P decode(String json, Class<P> payloadClass);
}
