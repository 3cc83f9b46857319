package dev.sweep.cli;

import dev.sweep.TaskContext;
import dev.sweep.TransactionContext;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;

/** What the demo's workers do. */
final class DemoHandlers {

    private static final int BONUS_CENTS = 500;
    private static final Misfortune CERTAIN_MISFORTUNE = new Misfortune(0, 1);

    private final DemoStatements statements;
    private final DataSource connections;
    private final Misfortune misfortune;

    DemoHandlers(DemoStatements statements, DataSource connections, Misfortune misfortune) {
        this.statements = statements;
        this.connections = connections;
        this.misfortune = misfortune;
    }

    /** Fans out in the transaction that completes the sign-up: three more tasks, or nothing. */
    void signUp(DemoTasks.Customer customer, TransactionContext context) {
        meetMisfortune(customer, context);
        context.enqueueAll(
                List.of(DemoTasks.MAIL.with(customer), DemoTasks.CRM.with(customer), DemoTasks.BONUS.with(customer)));
    }

    /** A plain handler: if its worker dies after the mail and before the completion, the mail is sent again. */
    void mail(DemoTasks.Customer customer, TaskContext context) throws SQLException {
        meetMisfortune(customer, context);
        try (Connection connection = connections.getConnection()) {
            statements.insertMailSent(connection, context.id().value());
        }
    }

    void crm(DemoTasks.Customer customer, TaskContext context) {
        meetMisfortune(customer, context);
    }

    /** A transactional handler: the entry and the completion are one commit, so there is exactly one entry per task. */
    void bonus(DemoTasks.Customer customer, TransactionContext context) throws SQLException {
        statements.insertBonus(context.connection(), context.id().value(), customer.number(), BONUS_CENTS);
        meetMisfortune(customer, context);
    }

    /** Every attempt fails, so the task ends as a dead letter. */
    void impossible(DemoTasks.Report report, TaskContext context) {
        if (CERTAIN_MISFORTUNE.strikes(context.type(), 0, context.attempt())) {
            throw new IllegalStateException("the report '" + report.title() + "' can't be made");
        }
    }

    private void meetMisfortune(DemoTasks.Customer customer, TaskContext context) {
        if (misfortune.strikes(context.type(), customer.number(), context.attempt())) {
            throw new IllegalStateException("misfortune struck attempt " + context.attempt());
        }
    }
}
