package dev.sweep.cli.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * One connection of the best loop. The plan of its claim was made for an empty table and must serve a full one: without the
 * switches PostgreSQL would come to read all of it for each claim.
 */
final class BestSession implements LoopSession {

    private final Connection connection;
    private final PreparedStatement insert;
    private final PreparedStatement insertKeyed;
    private final PreparedStatement claim;
    private final PreparedStatement complete;

    BestSession(Place place, int batch) throws SQLException {
        connection = place.connect();
        try (Statement statement = connection.createStatement()) {
            statement.execute("set enable_seqscan = off; set enable_bitmapscan = off; set enable_hashjoin = off;"
                    + " set enable_mergejoin = off; set plan_cache_mode = force_generic_plan; set jit = off");
        }
        insert = connection.prepareStatement(OneTable.sql(place, """
                insert into $tasks (type, payload) select '%s', p::jsonb from unnest(?::text[]) p
                """.formatted(OneTable.TYPE)));
        insertKeyed = connection.prepareStatement(OneTable.sql(place, """
                insert into $tasks (type, payload, dedup_key)
                select '%s', u.payload::jsonb, u.key from unnest(?::text[], ?::text[]) u(payload, key)
                on conflict (dedup_key) where dedup_key is not null do nothing
                """.formatted(OneTable.TYPE)));
        claim = connection.prepareStatement(OneTable.sql(place, """
                update $tasks set status = 'processing', started_at = now(), attempts = attempts + 1
                where id = any (array (select id from $tasks where status = 'pending' and run_at <= now()
                                       order by priority desc, run_at, id limit %d for update skip locked))
                returning id, payload
                """.formatted(batch)));
        complete = connection.prepareStatement(OneTable.sql(place, """
                update $tasks set status = 'succeeded', finished_at = now() where id = any (?)
                """));
    }

    /** One statement, whatever the size. */
    @Override
    public void enqueue(List<String> payloads, List<String> keys) throws SQLException {
        PreparedStatement statement = keys.isEmpty() ? insert : insertKeyed;
        statement.setArray(1, connection.createArrayOf("text", payloads.toArray()));
        if (!keys.isEmpty()) {
            statement.setArray(2, connection.createArrayOf("text", keys.toArray()));
        }
        statement.executeUpdate();
    }

    @Override
    public List<Claimed> claim() throws SQLException {
        return Claimed.by(claim);
    }

    @Override
    public void complete(List<Claimed> tasks) throws SQLException {
        complete.setArray(
                1,
                connection.createArrayOf(
                        "bigint", tasks.stream().map(Claimed::id).toArray()));
        complete.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
