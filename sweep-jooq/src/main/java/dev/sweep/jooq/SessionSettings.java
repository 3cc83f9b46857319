package dev.sweep.jooq;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the server is told about a hot session. One good plan whatever the statistics say: index nested loops, made once,
 * which remember nothing, since no row is looked up twice. No JIT: pinned plans look costly. The server ends a statement
 * before we give its connection up: a claim must not be carried out for nobody, once what held it up is over. It also ends
 * a transaction that a frozen process left open, with the rows that it locked.
 *
 * @param settings {@code name = value} each
 * @param patience how long a silent connection is waited for; longer than the server lets a statement run
 */
record SessionSettings(List<String> settings, Duration patience) {

    private static final List<String> ONE_GOOD_PLAN = List.of(
            "enable_seqscan = off",
            "enable_bitmapscan = off",
            "enable_hashjoin = off",
            "enable_mergejoin = off",
            "enable_memoize = off",
            "plan_cache_mode = force_generic_plan",
            "jit = off",
            "idle_in_transaction_session_timeout = '2s'");

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** With the default lease and heartbeat, a second beat can be made before the lease is over. */
    private static final Duration PATIENCE_WITH_BEATS = Duration.ofSeconds(8);

    SessionSettings {
        settings = List.copyOf(settings);
    }

    static SessionSettings forClaims() {
        return onePlanAnd(PATIENCE, "statement_timeout = '20s'");
    }

    /** One that someone holds for long must not keep the others back; the worker then goes singly. */
    static SessionSettings forOutcomes() {
        return onePlanAnd(PATIENCE, "statement_timeout = '20s'", "lock_timeout = '500ms'");
    }

    static SessionSettings forBeats() {
        return onePlanAnd(PATIENCE_WITH_BEATS, "statement_timeout = '6s'");
    }

    private static SessionSettings onePlanAnd(Duration patience, String... others) {
        return new SessionSettings(
                Stream.concat(ONE_GOOD_PLAN.stream(), Stream.of(others)).toList(), patience);
    }

    /** For all that the session will do. */
    String forSession() {
        return "set default_transaction_isolation = 'read committed'; " + each("set ");
    }

    /** For the transaction that these are the first statements of. */
    String forTransaction() {
        return "set transaction isolation level read committed; " + each("set local ");
    }

    private String each(String set) {
        return settings.stream().map(setting -> set + setting).collect(Collectors.joining("; "));
    }
}
