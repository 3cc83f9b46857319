package dev.sweep.partitioning;

import dev.sweep.TransactionConflictException;
import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs steps one by one, until none is left. Each is found anew, under the lock of the layout, from what is there; a strong
 * lock that is not to be had within moments is tried again a little later, so that nobody queues behind it for long.
 */
final class StepRunner {

    private static final Logger LOG = LoggerFactory.getLogger(StepRunner.class);

    /** For the lock of the layout, which others hold for milliseconds, or while they wait for a lock in turn. */
    private static final Limits OF_STEP = new Limits(Duration.ofSeconds(10), Duration.ofSeconds(20));

    private static final Limits OF_SCAN = new Limits(Duration.ofSeconds(10), Duration.ofHours(12));
    private static final int LONGEST_PAUSE_MILLIS = 400;

    private final StoreDatabase database;
    private final PartitionStatements statements;
    private final PartitionCatalog catalog;
    private final Duration patience;

    /** @param patience how long the locks of one step are tried for */
    StepRunner(StoreDatabase database, PartitionStatements statements, PartitionCatalog catalog, Duration patience) {
        this.database = database;
        this.statements = statements;
        this.catalog = catalog;
        this.patience = patience;
    }

    /** What goes before each step that is no scan, in its transaction. */
    List<String> preamble() {
        return List.of(statements.lockLayout(), statements.waitBriefly());
    }

    /** Answers what was done, empty if nothing was to do. */
    List<String> run(Function<PartitionLayout, List<Step>> steps) {
        List<String> done = new ArrayList<>();
        long triedSince = System.nanoTime();
        while (isAnythingLeft(steps)) {
            try {
                Optional<Step> step = takeFirst(steps);
                step.filter(Step::isScan).ifPresent(this::scan);
                step.map(Step::what).ifPresent(what -> {
                    done.add(what);
                    LOG.info("partitions of schema {}: {}", database.schema(), what);
                });
                triedSince = System.nanoTime();
            } catch (TransactionConflictException locked) {
                if (System.nanoTime() - triedSince > patience.toNanos()
                        || Thread.currentThread().isInterrupted()) {
                    throw gaveUp(locked);
                }
                pause();
            }
        }
        return done;
    }

    /** Without any lock, since most often there is nothing to do. */
    private boolean isAnythingLeft(Function<PartitionLayout, List<Step>> steps) {
        return !database.inTransaction(OF_STEP, sql -> steps.apply(catalog.layout(sql)))
                .isEmpty();
    }

    /** Finds the first step that is left and runs it, unless it is a scan, which must not hold the lock of the layout. */
    private Optional<Step> takeFirst(Function<PartitionLayout, List<Step>> steps) {
        return database.inTransaction(OF_STEP, sql -> {
            sql.execute(statements.lockLayout());
            Optional<Step> first = steps.apply(catalog.layout(sql)).stream().findFirst();
            first.filter(step -> !step.isScan()).ifPresent(step -> {
                sql.execute(statements.waitBriefly());
                step.sql().forEach(sql::execute);
            });
            return first;
        });
    }

    private void scan(Step step) {
        database.inTransaction(OF_SCAN, sql -> {
            step.sql().forEach(sql::execute);
            return step;
        });
    }

    private TransactionConflictException gaveUp(TransactionConflictException locked) {
        return new TransactionConflictException(
                "no lock on the tables of schema '" + database.schema() + "' was to be had for " + patience.toSeconds()
                        + " s: open transactions hold them (" + holders() + "); what was done so far stays; end those"
                        + " transactions, then run the same again",
                locked);
    }

    private String holders() {
        return database.inTransaction(
                OF_STEP,
                sql -> sql.fetch(statements.holders()).stream()
                        .map(row -> row.get("who") + ", open for " + row.get("open_for"))
                        .collect(Collectors.joining("; ")));
    }

    private static void pause() {
        LockSupport.parkNanos(
                Duration.ofMillis(ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_MILLIS / 4, LONGEST_PAUSE_MILLIS))
                        .toNanos());
    }
}
