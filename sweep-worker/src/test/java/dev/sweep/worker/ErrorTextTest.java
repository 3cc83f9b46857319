package dev.sweep.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.Outcome;
import org.junit.jupiter.api.Test;

class ErrorTextTest {

    @Test
    void holdsTheClassAndTheMessageWithItsCauses() {
        ErrorText text = ErrorText.of(new IllegalStateException("outer", new ArithmeticException("inner")));

        assertThat(text.errorClass()).isEqualTo("java.lang.IllegalStateException");
        assertThat(text.message()).isEqualTo("outer; caused by java.lang.ArithmeticException: inner");
    }

    @Test
    void aReportedFailureIsNamedAfterItsOutcome() {
        ErrorText text = ErrorText.of(new ReportedFailure(Outcome.Fail.class, "no such user"));

        assertThat(text).isEqualTo(new ErrorText("dev.sweep.Outcome$Fail", "no such user"));
    }

    @Test
    void aLongMessageIsCutBetweenCharacters() {
        String pairAtTheBound = "x".repeat(ErrorText.MAX_CHARS - 1) + "\uD83D\uDE00" + "y";

        String message = ErrorText.of(new Exception(pairAtTheBound)).message();

        assertThat(message).isEqualTo("x".repeat(ErrorText.MAX_CHARS - 1));
    }

    @Test
    void causesThatGoInACircleEnd() {
        Exception first = new Exception("first");
        Exception second = new Exception("second", first);
        first.initCause(second);

        assertThat(ErrorText.of(first).message())
                .startsWith("first; caused by java.lang.Exception: second")
                .hasSizeLessThan(500);
    }

    @Test
    void anExceptionWithoutMessageSaysSo() {
        assertThat(ErrorText.of(new NullPointerException()).message()).isEqualTo("no message");
    }

    @Test
    void aLogLineIsOneLine() {
        assertThat(ErrorText.oneLine(new Exception("a\nb\r\nc"))).isEqualTo("java.lang.Exception: a b c");
    }

    @Test
    void whatCannotBePrintedIsNotGivenToALog() {
        RuntimeException unprintable = new RuntimeException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new IllegalStateException("no text for you");
            }
        };

        assertThat(ErrorText.printable(unprintable)).isNull();
        assertThat(ErrorText.printable(new Exception("fine"))).hasMessage("fine");
    }
}
