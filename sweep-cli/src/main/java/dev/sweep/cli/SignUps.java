package dev.sweep.cli;

import dev.sweep.Enqueued;
import dev.sweep.Sweep;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * The shop's front: customers sign up, each in one transaction that writes the customer and enqueues the task. Every tenth
 * presses the button twice, often at the same instant.
 */
final class SignUps implements AutoCloseable {

    static final int THREADS = 3;

    private final Sweep sweep;
    private final DataSource connections;
    private final DemoStatements statements;
    private final int customers;
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private CompletableFuture<Void> end = new CompletableFuture<>();

    SignUps(OpenSweep opened, DemoStatements statements, int customers) {
        this.sweep = opened.sweep();
        this.connections = opened.connections();
        this.statements = statements;
        this.customers = customers;
    }

    /** How many sign-ups come twice. */
    static int repeated(int customers) {
        return customers / 10;
    }

    void start() {
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            all.add(CompletableFuture.runAsync(this::signUpUntilDone, threads));
        }
        end = CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
    }

    /** Requests answered so far. */
    int done() {
        return done.get();
    }

    int requests() {
        return customers + repeated(customers);
    }

    /** Whether all have signed up; throws if one could not. */
    boolean isDone() {
        if (end.isCompletedExceptionally()) {
            end.join();
        }
        return end.isDone();
    }

    @Override
    public void close() {
        next.set(requests());
        threads.shutdown();
    }

    private void signUpUntilDone() {
        try (Connection tx = connections.getConnection()) {
            tx.setAutoCommit(false);
            for (int request = next.getAndIncrement(); request < requests(); request = next.getAndIncrement()) {
                signUp(tx, customerOf(request));
                done.incrementAndGet();
            }
        } catch (SQLException failed) {
            next.set(requests());
            throw new CompletionException("a sign-up failed", failed);
        }
    }

    private void signUp(Connection tx, int customer) throws SQLException {
        Enqueued answer = sweep.enqueue(
                tx, DemoTasks.SIGN_UP.with(new DemoTasks.Customer(customer)).dedupKey("signup:" + customer));
        if (answer.isNew()) {
            statements.insertCustomer(tx, customer);
        }
        statements.insertRequest(tx, customer, answer.id().value(), answer.isNew());
        tx.commit();
    }

    /** Eleven requests come from ten customers: the last two are the same one. */
    private static int customerOf(int request) {
        return request / 11 * 10 + Math.min(request % 11, 9) + 1;
    }
}
