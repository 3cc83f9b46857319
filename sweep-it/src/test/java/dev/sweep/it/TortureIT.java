package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.spi.Attempt;
import dev.sweep.spi.Completion;
import dev.sweep.spi.MigratableStore;
import dev.sweep.spi.TaskStore;
import dev.sweep.spi.TransactionalStore;
import dev.sweep.testing.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random misfortunes by the dozen; the seed is printed. Longer: {@code -Dsweep.test.torture.seconds=600}. */
class TortureIT {

    private static final int SECONDS = Integer.getInteger("sweep.test.torture.seconds", 6);
    private static final Duration CALM = Duration.ofSeconds(20);

    @Test
    @Timeout(3_600)
    void everyPromiseHoldsUnderEveryMisfortuneAtOnce() throws Exception {
        assertThat(tortured(SECONDS, source -> store -> store)).isEmpty();
    }

    /**
     * The oracle is worth something only if it sees a fence that is missing. That an outcome comes late is left to chance,
     * so this goes on until one did.
     */
    @Test
    @Timeout(300)
    void anOutcomeThatIgnoresItsLeaseIsCaught() throws Exception {
        assertThatIsCaught("a task is in exactly one place", TortureIT::withoutFence);
    }

    /** Case B07. */
    @Test
    @Timeout(300)
    void aDuplicateOnTheStrengthOfAnUncommittedInsertIsCaught() throws Exception {
        assertThatIsCaught("answered with a task that is not there", source -> new UncommittedDuplicates()::answeredBy);
    }

    private static void assertThatIsCaught(String promise, Function<DataSource, UnaryOperator<TaskStore>> asUsed)
            throws Exception {
        boolean isCaught = false;
        while (!isCaught) {
            isCaught = tortured(2, asUsed).stream().anyMatch(fault -> fault.contains(promise));
        }
        assertThat(isCaught).isTrue();
    }

    private static List<String> tortured(int seconds, Function<DataSource, UnaryOperator<TaskStore>> asUsed)
            throws Exception {
        long seed = Long.getLong("sweep.test.torture.seed", new Random().nextLong());
        try (ScratchDatabase database = ScratchDatabase.create(PostgresServer.shared(), "torture");
                Torture torture = new Torture(database.dataSource(), seed, asUsed.apply(database.dataSource()))) {
            torture.begin();
            boolean isCalm = torture.calmAfter(Duration.ofSeconds(seconds), CALM);
            torture.closeWorkers();
            List<String> faults = new ArrayList<>(torture.faults);
            faults.addAll(TortureOracle.judge(database.dataSource(), torture.committed, torture.rolledBack));
            if (!isCalm) {
                faults.add("tasks were left over after " + CALM);
            }
            System.err.println("torture with seed " + seed + ": " + TortureOracle.tally(database.dataSource())
                    + ", enqueued " + torture.committed.size() + ", rolled back " + torture.rolledBack.size());
            return faults;
        }
    }

    /** Completes whatever it is told to, whether the attempt still holds its task or not. */
    private static UnaryOperator<TaskStore> withoutFence(DataSource source) {
        return store -> (TaskStore) Proxy.newProxyInstance(
                TortureIT.class.getClassLoader(),
                new Class<?>[] {TaskStore.class, TransactionalStore.class, MigratableStore.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("complete")) {
                        return completeUnfenced(source, (Collection<?>) arguments[0]);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private static Set<Attempt> completeUnfenced(DataSource source, Collection<?> completions) throws SQLException {
        Set<Attempt> accepted = new HashSet<>();
        try (Connection connection = source.getConnection();
                PreparedStatement complete = connection.prepareStatement("""
                        with attempt as (
                            select ?::bigint as lease, ?::bigint as id
                        ), ended as (
                            delete from sweep.task_running r using attempt a where r.lease = a.lease and r.id = a.id
                        ), stored as (
                            insert into sweep.task_outcome
                                (id, created_at, finished_at, lease, retries, losses, status)
                            select a.id, sweep.id_time(a.id), clock_timestamp(), a.lease,
                                   (select count(*) from sweep.task_failure f
                                    where f.id = a.id and f.error_class <> 'worker lost'),
                                   (select count(*) from sweep.task_failure f
                                    where f.id = a.id and f.error_class = 'worker lost'), 'succeeded'
                            from attempt a
                            on conflict do nothing
                            returning id
                        )
                        insert into sweep.stat_delta (status, tasks, run_micros) select 'succeeded', 1, 0 from stored
                        """)) {
            for (Object completion : completions) {
                Attempt attempt = ((Completion) completion).attempt();
                complete.setLong(1, attempt.lease());
                complete.setLong(2, attempt.id().value());
                complete.executeUpdate();
                accepted.add(attempt);
            }
        }
        return accepted;
    }
}
