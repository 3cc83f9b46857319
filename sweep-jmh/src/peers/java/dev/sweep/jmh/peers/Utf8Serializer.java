package dev.sweep.jmh.peers;

import com.github.kagkarlsson.scheduler.serializer.Serializer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Texts as their bytes: the least that a payload can cost. */
final class Utf8Serializer implements Serializer {

    @Override
    public byte @Nullable [] serialize(@Nullable Object data) {
        return data == null ? null : data.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public <T> @Nullable T deserialize(Class<T> type, byte @Nullable [] bytes) {
        return bytes == null ? null : type.cast(new String(bytes, StandardCharsets.UTF_8));
    }
}
