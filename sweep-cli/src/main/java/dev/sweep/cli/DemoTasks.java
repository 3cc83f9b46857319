package dev.sweep.cli;

import dev.sweep.TaskType;
import java.util.List;

/** The types of the demo's tasks. Failures are frequent here, so each may be retried often. */
final class DemoTasks {

    private static final int MANY_RETRIES = 12;

    /** A customer has signed up; fans out to the three types below. */
    static final TaskType<Customer> SIGN_UP =
            TaskType.of("signup.completed", Customer.class).maxRetries(MANY_RETRIES);

    static final TaskType<Customer> MAIL =
            TaskType.of("mail.welcome", Customer.class).maxRetries(MANY_RETRIES);
    static final TaskType<Customer> CRM =
            TaskType.of("crm.sync", Customer.class).maxRetries(MANY_RETRIES);
    static final TaskType<Customer> BONUS =
            TaskType.of("ledger.bonus", Customer.class).maxRetries(MANY_RETRIES);

    /** Never succeeds, and ends as a dead letter. */
    static final TaskType<Report> IMPOSSIBLE =
            TaskType.of("report.impossible", Report.class).maxRetries(2);

    /** The types that succeed in the end, one task of each per customer. */
    static final List<TaskType<Customer>> PER_CUSTOMER = List.of(SIGN_UP, MAIL, CRM, BONUS);

    private DemoTasks() {}

    /** The payload of all tasks about a customer. */
    record Customer(int number) {}

    /** The payload of the task that never succeeds. */
    record Report(String title) {}
}
