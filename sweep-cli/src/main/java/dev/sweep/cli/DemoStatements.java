package dev.sweep.cli;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The SQL of the demo's own tables: what a small shop would have, beside Sweep's schema in the same database.
 *
 * @param taskSchema Sweep's schema
 * @param shopSchema the schema of the shop's tables
 */
record DemoStatements(String taskSchema, String shopSchema) {

    void createTables(DataSource connections) throws SQLException {
        run(
                connections,
                // @formatter:off
                """
                create schema $shop;
                create table $shop.customer (
                    number int primary key,
                    signed_up_at timestamptz not null default clock_timestamp()
                );
                create table $shop.sign_up_request (
                    id bigint generated always as identity primary key,
                    customer int not null,
                    task_id bigint not null,
                    is_new boolean not null
                );
                create table $shop.mail_sent (
                    id bigint generated always as identity primary key,
                    task_id bigint not null
                );
                -- No unique key on task_id: a second effect of a task would be seen, not refused.
                create table $shop.ledger (
                    id bigint generated always as identity primary key,
                    task_id bigint not null,
                    customer int not null,
                    cents int not null
                );
                """);
                // @formatter:on
    }

    void dropSchemas(DataSource connections) throws SQLException {
        run(connections, "drop schema if exists $shop cascade; drop schema if exists $tasks cascade");
    }

    /** In the caller's transaction. */
    void insertCustomer(Connection tx, int customer) throws SQLException {
        update(tx, "insert into $shop.customer (number) values (?)", customer);
    }

    /** In the caller's transaction. */
    void insertRequest(Connection tx, int customer, long taskId, boolean isNew) throws SQLException {
        update(
                tx,
                "insert into $shop.sign_up_request (customer, task_id, is_new) values (?, ?, ?)",
                customer,
                taskId,
                isNew);
    }

    void insertMailSent(Connection connection, long taskId) throws SQLException {
        update(connection, "insert into $shop.mail_sent (task_id) values (?)", taskId);
    }

    /** In the transaction that completes the task. */
    void insertBonus(Connection tx, long taskId, int customer, int cents) throws SQLException {
        update(tx, "insert into $shop.ledger (task_id, customer, cents) values (?, ?, ?)", taskId, customer, cents);
    }

    /** Text that pastes into psql: one row that says whether every effect is there exactly once. */
    String effectsQuery() {
        return sql(
                // @formatter:off
                """
                select count(*) as effects,
                       count(distinct t.id) as tasks_with_effect,
                       (select count(*) from $tasks.tasks
                         where type = 'ledger.bonus' and status = 'succeeded') as tasks_succeeded
                  from $shop.ledger l
                  left join $tasks.tasks t
                    on t.id = l.task_id and t.type = 'ledger.bonus' and t.status = 'succeeded'\
                """);
                // @formatter:on
    }

    /** Counts everything anew; reads each table once. */
    DemoCounts count(DataSource connections) throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            long customers = number(statement, "select count(*) from $shop.customer");
            long duplicates = number(statement, "select count(*) from $shop.sign_up_request where not is_new");
            long[] tasks = numbers(
                    statement,
                    // @formatter:off
                    """
                    select count(*),
                           count(*) filter (where status = 'succeeded'),
                           coalesce(sum(retry_count), 0),
                           count(*) filter (where status = 'failed')
                      from $tasks.tasks
                    """,
                    // @formatter:on
                    4);
            long[] effects = numbers(statement, effectsQuery(), 3);
            return new DemoCounts(
                    customers, tasks[0], duplicates, tasks[1], tasks[2], tasks[3], effects[0], effects[1], effects[2]);
        }
    }

    /** How many times a mail was sent: a plain handler's effect, at least once per task. */
    long countMails(DataSource connections) throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            return number(statement, "select count(*) from $shop.mail_sent");
        }
    }

    private long number(Statement statement, String template) throws SQLException {
        return numbers(statement, template, 1)[0];
    }

    private long[] numbers(Statement statement, String template, int columns) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql(template))) {
            row.next();
            long[] numbers = new long[columns];
            for (int i = 0; i < columns; i++) {
                numbers[i] = row.getLong(i + 1);
            }
            return numbers;
        }
    }

    private void update(Connection connection, String template, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql(template))) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    private void run(DataSource connections, String template) throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql(template));
        }
    }

    private String sql(String template) {
        return template.replace("$tasks", quoted(taskSchema)).replace("$shop", quoted(shopSchema));
    }

    /** Names that need no quotes go without, so that the text reads well. */
    private static String quoted(String name) {
        return name.matches("[a-z_][a-z0-9_]*") ? name : '"' + name.replace("\"", "\"\"") + '"';
    }
}
