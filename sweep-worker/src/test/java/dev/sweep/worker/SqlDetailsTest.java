package dev.sweep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import org.junit.jupiter.api.Test;

/** Case B101: no values of rows in what is kept and logged of an error. */
class SqlDetailsTest {

    private static final SQLException VIOLATION = new SQLIntegrityConstraintViolationException(
            "ERROR: duplicate key value violates \"account_key\"\n  Detail: Key (token)=(secret) already exists.");

    @Test
    void onlyTheFirstLineOfAnSqlExceptionIsTold() {
        assertThat(ErrorText.of(VIOLATION).message()).isEqualTo("ERROR: duplicate key value violates \"account_key\"");
        assertThat(ErrorText.oneLine(VIOLATION)).contains("account_key").doesNotContain("secret");
    }

    @Test
    void whatOthersRepeatOfItIsTakenOutToo() {
        RuntimeException wrapped = new IllegalStateException("SQL [insert]; " + VIOLATION.getMessage(), VIOLATION);
        assertThat(ErrorText.of(wrapped).message())
                .startsWith("SQL [insert]; ERROR: duplicate key value violates \"account_key\"; caused by ")
                .doesNotContain("secret");
    }

    @Test
    void aBatchThatQuotesItsStatementIsNotTold() {
        BatchUpdateException batch = new BatchUpdateException(
                "Batch entry 0 insert into account values ('secret') was aborted: " + VIOLATION.getMessage(),
                new int[0],
                VIOLATION);
        assertThat(ErrorText.of(batch).message())
                .startsWith("an entry of a batch was refused; caused by ")
                .contains("account_key")
                .doesNotContain("secret");
    }

    @Test
    void theLogKeepsTheStackAndLosesTheDetails() {
        RuntimeException wrapped = new IllegalStateException("SQL [insert]; " + VIOLATION.getMessage(), VIOLATION);
        Throwable printable = ErrorText.printable(wrapped);
        assertThat(printable)
                .hasMessage(
                        "java.lang.IllegalStateException: SQL [insert]; ERROR: duplicate key value violates \"account_key\"");
        assertThat(printable.getStackTrace()).isEqualTo(wrapped.getStackTrace());
        assertThat(printable.getCause().getMessage()).contains("account_key").doesNotContain("secret");
        assertThat(printable.getCause().getStackTrace()).isEqualTo(VIOLATION.getStackTrace());
    }

    @Test
    void otherExceptionsKeepAllTheirLines() {
        RuntimeException other = new IllegalStateException("first line\nsecond line");
        assertThat(ErrorText.of(other).message()).isEqualTo("first line\nsecond line");
        assertThat(ErrorText.printable(other)).isSameAs(other);
    }
}
