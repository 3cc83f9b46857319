package dev.sweep.testing;

import dev.sweep.spi.TaskStore;
import java.time.Duration;
import javax.sql.DataSource;

/** Where a {@link SweepExtension} gets an empty store for each test. */
interface TestStores {

    /** Before the first test of a class. */
    void begin(String testClass);

    /** A store without tasks; the caller closes it. */
    TaskStore newStore();

    /** After the last test of a class. */
    void end();

    /** Lets time pass for the tasks of the store made last. */
    void advance(Duration duration);

    /** The clock of the store made last; throws if it has none that a test can set. */
    SettableTime time();

    /** The database; throws if there is none. */
    DataSource dataSource();

    /** The schema in the database; throws if there is none. */
    String schema();
}
