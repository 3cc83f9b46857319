package dev.sweep.jooq;

import dev.sweep.spi.Attempt;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Binds one array parameter per column of a batch, in order. A column of nulls is sent as null. Arrays are of their elements'
 * own class, which the driver sends in binary form; what it takes for objects it would write out and quote.
 */
final class SqlArrays {

    private final PreparedStatement statement;
    private int parameter;

    private SqlArrays(PreparedStatement statement) {
        this.statement = statement;
    }

    static SqlArrays into(PreparedStatement statement) {
        return new SqlArrays(statement);
    }

    <R> SqlArrays texts(List<R> rows, Function<R, @Nullable String> value) throws SQLException {
        return column("text", new String[rows.size()], rows, value);
    }

    <R> SqlArrays longs(List<R> rows, Function<R, @Nullable Long> value) throws SQLException {
        return column("int8", new Long[rows.size()], rows, value);
    }

    <R> SqlArrays ints(List<R> rows, Function<R, @Nullable Integer> value) throws SQLException {
        return column("int4", new Integer[rows.size()], rows, value);
    }

    <R> SqlArrays shorts(List<R> rows, Function<R, @Nullable Integer> value) throws SQLException {
        return column("int2", new Short[rows.size()], rows, row -> {
            Integer number = value.apply(row);
            return number == null ? null : number.shortValue();
        });
    }

    <R> SqlArrays booleans(List<R> rows, Function<R, @Nullable Boolean> value) throws SQLException {
        return column("bool", new Boolean[rows.size()], rows, value);
    }

    /** As text, because the driver would write timestamps in the JVM's own zone. */
    <R> SqlArrays instants(List<R> rows, Function<R, @Nullable Instant> value) throws SQLException {
        return column("timestamptz", new String[rows.size()], rows, row -> text(value.apply(row)));
    }

    static long micros(Duration duration) {
        return TimeUnit.SECONDS.toMicros(duration.getSeconds()) + TimeUnit.NANOSECONDS.toMicros(duration.getNano());
    }

    static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : instant.truncatedTo(ChronoUnit.MICROS).toString();
    }

    /** Two columns: leases and ids. */
    <R> SqlArrays attempts(List<R> rows, Function<R, Attempt> attempt) throws SQLException {
        return longs(rows, row -> attempt.apply(row).lease())
                .longs(rows, row -> attempt.apply(row).id().value());
    }

    SqlArrays texts(Collection<String> elements) throws SQLException {
        return array("text", elements.toArray(String[]::new));
    }

    SqlArrays longs(Collection<Long> elements) throws SQLException {
        return array("int8", elements.toArray(Long[]::new));
    }

    SqlArrays scalar(Object value) throws SQLException {
        statement.setObject(++parameter, value);
        return this;
    }

    /** An array that came back; empty if it is null. */
    static List<Long> longs(ResultSet row, int column) throws SQLException {
        Array array = row.getArray(column);
        return array == null ? List.of() : List.of((Long[]) array.getArray());
    }

    static List<Boolean> booleans(ResultSet row, int column) throws SQLException {
        Array array = row.getArray(column);
        return array == null ? List.of() : List.of((Boolean[]) array.getArray());
    }

    /** The whole array is null. */
    SqlArrays none() throws SQLException {
        statement.setNull(++parameter, Types.ARRAY);
        return this;
    }

    private <R, T> SqlArrays column(String sqlType, T[] elements, List<R> rows, Function<R, @Nullable T> value)
            throws SQLException {
        Arrays.setAll(elements, i -> value.apply(rows.get(i)));
        boolean isAllNull = elements.length > 0 && Arrays.stream(elements).noneMatch(Objects::nonNull);
        return isAllNull ? none() : array(sqlType, elements);
    }

    private SqlArrays array(String sqlType, Object[] elements) throws SQLException {
        statement.setArray(++parameter, statement.getConnection().createArrayOf(sqlType, elements));
        return this;
    }
}
