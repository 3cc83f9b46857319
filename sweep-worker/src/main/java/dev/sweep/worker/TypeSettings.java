package dev.sweep.worker;

import dev.sweep.RetryPolicy;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** What was set for one type beside its handler; what each means is said at {@link WorkerBuilder}. */
record TypeSettings(Optional<RetryPolicy> retryPolicy, Optional<Duration> timeout, OptionalInt concurrency) {

    static final TypeSettings NONE = new TypeSettings(Optional.empty(), Optional.empty(), OptionalInt.empty());

    TypeSettings withRetryPolicy(RetryPolicy policy) {
        return new TypeSettings(Optional.of(policy), timeout, concurrency);
    }

    TypeSettings withTimeout(Duration limit) {
        return new TypeSettings(retryPolicy, Optional.of(limit), concurrency);
    }

    TypeSettings withConcurrency(int limit) {
        return new TypeSettings(retryPolicy, timeout, OptionalInt.of(limit));
    }
}
