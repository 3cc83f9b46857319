package dev.sweep;

import dev.sweep.spi.PayloadCodec;
import dev.sweep.spi.TaskStore;
import java.util.ArrayList;
import java.util.List;

/** Collects the settings of a {@link Sweep}. Not thread-safe. */
public final class SweepBuilder {

    private static final int DEFAULT_MAX_PAYLOAD_BYTES = 1 << 20;
    private static final int LARGEST_MAX_PAYLOAD_BYTES = 16 << 20;

    private final TaskStore store;
    private PayloadCodec codec = JacksonPayloadCodec.ofDefaults();
    private int maxPayloadBytes = DEFAULT_MAX_PAYLOAD_BYTES;
    private final List<TaskInterceptor> interceptors = new ArrayList<>();

    SweepBuilder(TaskStore store) {
        this.store = store;
    }

    /** How payloads become JSON and back; the default is Jackson with java.time, exact numbers and no class names. */
    public SweepBuilder codec(PayloadCodec codec) {
        this.codec = codec;
        return this;
    }

    /** The largest payload or result that is accepted, in bytes of UTF-8: 1 to 16,777,216; the default is 1,048,576. */
    public SweepBuilder maxPayloadBytes(int maxPayloadBytes) {
        this.maxPayloadBytes = maxPayloadBytes;
        return this;
    }

    /** Adds code around every enqueue and every run, inside of what was added before. */
    public SweepBuilder interceptor(TaskInterceptor interceptor) {
        interceptors.add(interceptor);
        return this;
    }

    /** Throws an {@link InvalidConfigurationException} with all faults at once. */
    public Sweep build() {
        List<String> faults = faults();
        if (!faults.isEmpty()) {
            throw new InvalidConfigurationException(faults);
        }
        return new Sweep(store, new JsonPassThrough(codec), new PayloadGate(maxPayloadBytes), interceptors);
    }

    private List<String> faults() {
        List<String> faults = new ArrayList<>();
        if (store == null) {
            faults.add("the store is null; pass one, such as a JooqTaskStore");
        }
        if (codec == null) {
            faults.add("the codec is null; pass one, or leave the call out for JacksonPayloadCodec.ofDefaults()");
        }
        if (maxPayloadBytes < 1 || maxPayloadBytes > LARGEST_MAX_PAYLOAD_BYTES) {
            faults.add("maxPayloadBytes " + maxPayloadBytes + " is out of range; use 1 to " + LARGEST_MAX_PAYLOAD_BYTES
                    + ", and keep larger data elsewhere with its address in the payload");
        }
        return faults;
    }
}
