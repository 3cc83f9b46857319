package dev.sweep;

import dev.sweep.spi.PayloadCodec;

/** Lets {@link Json} payloads through as they are; everything else is the configured codec's. */
final class JsonPassThrough implements PayloadCodec {

    private final PayloadCodec codec;

    JsonPassThrough(PayloadCodec codec) {
        this.codec = codec;
    }

    @Override
    public String encode(Object payload) {
        return payload instanceof Json json ? json.text() : codec.encode(payload);
    }

    @Override
    public <P> P decode(String json, Class<P> payloadClass) {
        return payloadClass == Json.class ? payloadClass.cast(Json.of(json)) : codec.decode(json, payloadClass);
    }
}
