package dev.sweep.cli.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** One connection of the classic loop. */
final class ClassicSession implements LoopSession {

    static final int CLAIM = 50;

    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement claim;
    private final PreparedStatement complete;

    ClassicSession(Place place) throws SQLException {
        connection = place.connect();
        insert = connection.prepareStatement(OneTable.sql(place, """
                insert into $tasks (type, payload, dedup_key) values ('%s', ?::jsonb, ?)
                on conflict (dedup_key) where dedup_key is not null do nothing
                """.formatted(OneTable.TYPE)));
        claim = connection.prepareStatement(OneTable.sql(place, """
                update $tasks set status = 'processing', started_at = now(), attempts = attempts + 1
                where id in (select id from $tasks where status = 'pending' and run_at <= now()
                             order by priority desc, run_at, id limit %d for update skip locked)
                returning id, payload
                """.formatted(CLAIM)));
        complete = connection.prepareStatement(OneTable.sql(place, """
                update $tasks set status = 'succeeded', finished_at = now() where id = ?
                """));
    }

    /** A statement a task, sent together. */
    @Override
    public void enqueue(List<String> payloads, List<String> keys) throws SQLException {
        connection.setAutoCommit(false);
        for (int i = 0; i < payloads.size(); i++) {
            insert.setString(1, payloads.get(i));
            insert.setString(2, keys.isEmpty() ? null : keys.get(i));
            insert.addBatch();
        }
        insert.executeBatch();
        connection.commit();
        connection.setAutoCommit(true);
    }

    @Override
    public List<Claimed> claim() throws SQLException {
        return Claimed.by(claim);
    }

    /** A statement and a commit a task. */
    @Override
    public void complete(List<Claimed> tasks) throws SQLException {
        for (Claimed task : tasks) {
            complete.setLong(1, task.id());
            complete.executeUpdate();
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
