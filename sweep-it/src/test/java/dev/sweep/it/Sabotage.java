package dev.sweep.it;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One fence taken out of the store on purpose: a piece of one statement, or of one function of the schema, replaced by
 * another. While it is active, every store of a {@link Database} has it.
 */
final class Sabotage {

    private static final AtomicReference<@Nullable Sabotage> ACTIVE = new AtomicReference<>();

    private final String target;
    private final boolean isFunction;
    private final Pattern fence;
    private final String instead;
    private final AtomicInteger hits = new AtomicInteger();

    private Sabotage(String target, boolean isFunction, String fence, String instead) {
        this.target = target;
        this.isFunction = isFunction;
        this.fence = Pattern.compile(fence, Pattern.DOTALL);
        this.instead = instead;
    }

    /**
     * @param mark what only this statement has in it
     * @param fence a regular expression; all that match are replaced
     */
    static Sabotage ofStatement(String mark, String fence, String instead) {
        return new Sabotage(mark, false, fence, instead);
    }

    static Sabotage ofFunction(String name, String fence, String instead) {
        return new Sabotage(name, true, fence, instead);
    }

    /** How often it did harm: zero if the fence is not where it was thought to be. */
    int during(Runnable deed) {
        if (!ACTIVE.compareAndSet(null, this)) {
            throw new IllegalStateException("one sabotage at a time");
        }
        try {
            deed.run();
            return hits.get();
        } finally {
            ACTIVE.set(null);
        }
    }

    /** For whoever makes stores. */
    static DataSource applied(DataSource source) {
        @Nullable Sabotage active = ACTIVE.get();
        return active == null || active.isFunction ? source : JdbcProxy.source(source, active::sabotaged);
    }

    /** For whoever has migrated a schema. */
    static void applyTo(Database database) {
        @Nullable Sabotage active = ACTIVE.get();
        if (active != null && active.isFunction) {
            Object definition = database.query("select pg_get_functiondef(p.oid) from pg_proc p where p.proname = '"
                            + active.target + "' and p.pronamespace = '\"" + database.schema + "\"'::regnamespace")
                    .get(0);
            try (Connection connection = database.source.getConnection()) {
                database.execute(connection, active.broken(definition.toString()));
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private Connection sabotaged(Connection open) {
        return JdbcProxy.connection(open, (connection, method, arguments) -> {
            if (method.getName().equals("prepareStatement")) {
                String sql = Objects.toString(arguments[0]);
                arguments[0] = sql.contains(target) ? broken(sql) : sql;
            }
            return JdbcProxy.call(connection, method, arguments);
        });
    }

    private String broken(String sql) {
        Matcher found = fence.matcher(sql);
        if (!found.find()) {
            return sql;
        }
        hits.incrementAndGet();
        return found.replaceAll(instead);
    }
}
