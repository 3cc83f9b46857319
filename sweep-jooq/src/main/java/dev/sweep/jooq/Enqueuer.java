package dev.sweep.jooq;

import dev.sweep.Enqueued;
import dev.sweep.spi.TaskRecord;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/**
 * Writes new tasks, in sets of up to 1,000 (fewer if their payloads are large) a round trip. Dedup keys are taken in the
 * order of their bytes over the whole call, before it is cut into sets, so that calls which share keys can't deadlock.
 */
final class Enqueuer {

    private static final int SET_SIZE = 1000;
    /** Of a set's payloads together, unless one alone is larger: a message to the server is bounded, and so is memory. */
    private static final long SET_CHARS = 8L << 20;

    private static final int MAX_TRIES = 10;

    private final DataSource source;
    private final TaskInserts inserts;

    Enqueuer(DataSource source, TaskStatements statements) {
        this.source = source;
        this.inserts = new TaskInserts(statements);
    }

    /** In a transaction of its own; run again if a stricter isolation level than READ COMMITTED ends it. */
    List<Enqueued> enqueue(List<TaskRecord> tasks) {
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = source.getConnection()) {
                return inOneTransaction(connection, tasks);
            } catch (SQLException e) {
                if (attempt == MAX_TRIES || !SqlErrors.mayRepeat(e)) {
                    throw SqlErrors.translated(e);
                }
            }
        }
    }

    /**
     * In the caller's transaction. A duplicate that shall fail is undone to a savepoint, so that the transaction stays
     * usable.
     */
    List<Enqueued> enqueue(Connection tx, List<TaskRecord> tasks) {
        try {
            if (tx.getAutoCommit()) {
                return inOneTransaction(tx, tasks);
            }
            boolean mayFail = tasks.stream().anyMatch(TaskInserts::failsOnDuplicate);
            return mayFail ? behindSavepoint(tx, tasks) : insert(tx, tasks);
        } catch (SQLException e) {
            throw SqlErrors.translated(e);
        }
    }

    private List<Enqueued> behindSavepoint(Connection tx, List<TaskRecord> tasks) throws SQLException {
        Savepoint before = tx.setSavepoint();
        try {
            List<Enqueued> answers = insert(tx, tasks);
            tx.releaseSavepoint(before);
            return answers;
        } catch (SQLException e) {
            tx.rollback(before);
            throw e;
        }
    }

    /** One set is one statement, which autocommit makes a transaction. */
    private List<Enqueued> inOneTransaction(Connection connection, List<TaskRecord> tasks) throws SQLException {
        boolean isOneStatement = connection.getAutoCommit() && endOfSet(tasks, 0) == tasks.size();
        return isOneStatement ? insert(connection, tasks) : OneTransaction.on(connection, tx -> insert(tx, tasks));
    }

    private List<Enqueued> insert(Connection connection, List<TaskRecord> tasks) throws SQLException {
        if (endOfSet(tasks, 0) == tasks.size()) {
            return tasks.isEmpty() ? List.of() : inserts.insert(connection, tasks);
        }
        int[] order = inKeyOrder(tasks);
        List<TaskRecord> ordered = IntStream.of(order).mapToObj(tasks::get).toList();
        Enqueued[] answers = new Enqueued[order.length];
        int from = 0;
        while (from < order.length) {
            int end = endOfSet(ordered, from);
            List<Enqueued> ofSet = inserts.insert(connection, ordered.subList(from, end));
            for (int i = from; i < end; i++) {
                answers[order[i]] = ofSet.get(i - from);
            }
            from = end;
        }
        return List.of(answers);
    }

    private static int endOfSet(List<TaskRecord> tasks, int from) {
        int last = Math.min(tasks.size(), from + SET_SIZE);
        long chars = 0;
        int end = from;
        while (end < last && (end == from || chars + tasks.get(end).payload().length() <= SET_CHARS)) {
            chars += tasks.get(end).payload().length();
            end++;
        }
        return end;
    }

    /** Tasks without a key first. Within one set the database orders. */
    private static int[] inKeyOrder(List<TaskRecord> tasks) {
        Comparator<Integer> byKey = Comparator.comparing(
                i -> TaskInserts.keyOf(tasks.get(i)), Comparator.nullsFirst(CodePointOrder.INSTANCE));
        return IntStream.range(0, tasks.size())
                .boxed()
                .sorted(byKey)
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
