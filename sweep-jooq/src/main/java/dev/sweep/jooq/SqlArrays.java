package dev.sweep.jooq;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Binds one array parameter per column of a batch, in order. */
final class SqlArrays {

    private final PreparedStatement statement;
    private int parameter;

    private SqlArrays(PreparedStatement statement) {
        this.statement = statement;
    }

    static SqlArrays into(PreparedStatement statement) {
        return new SqlArrays(statement);
    }

    /** One element per row, as PostgreSQL's type {@code sqlType}. */
    <R> SqlArrays column(String sqlType, List<R> rows, Function<R, @Nullable Object> value) throws SQLException {
        Object[] elements = new Object[rows.size()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = value.apply(rows.get(i));
        }
        return array(sqlType, elements);
    }

    SqlArrays values(String sqlType, Collection<?> elements) throws SQLException {
        return array(sqlType, elements.toArray());
    }

    SqlArrays scalar(Object value) throws SQLException {
        statement.setObject(++parameter, value);
        return this;
    }

    /** One element per instant; as text, because the driver would write timestamps in the JVM's own zone. */
    <R> SqlArrays instants(List<R> rows, Function<R, @Nullable Instant> value) throws SQLException {
        return column("timestamptz", rows, row -> {
            Instant instant = value.apply(row);
            return instant == null
                    ? null
                    : instant.truncatedTo(ChronoUnit.MICROS).toString();
        });
    }

    /** The whole array is null. */
    SqlArrays none() throws SQLException {
        statement.setNull(++parameter, Types.ARRAY);
        return this;
    }

    private SqlArrays array(String sqlType, Object[] elements) throws SQLException {
        statement.setArray(++parameter, statement.getConnection().createArrayOf(sqlType, elements));
        return this;
    }
}
