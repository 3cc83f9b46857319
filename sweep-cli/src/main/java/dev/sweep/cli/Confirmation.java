package dev.sweep.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks whoever started the command. */
@FunctionalInterface
interface Confirmation {

    /** The word that is consent; anything else is none. */
    String YES = "yes";

    /** Set by the launcher, which can see whether a person is at stdin and stderr; Java can't. */
    String INTERACTIVE = "sweep.interactive";

    /** Whether the answer is yes; empty, and nothing asked, if nobody is there. */
    Optional<Boolean> ask(String question, PrintWriter err);

    /** Of the person at the terminal. */
    static Confirmation onTerminal() {
        return (question, err) ->
                Boolean.getBoolean(INTERACTIVE) ? Optional.of(answered(question, err)) : Optional.empty();
    }

    private static boolean answered(String question, PrintWriter err) {
        err.print(Printable.of(question) + " Type " + YES + ": ");
        err.flush();
        try {
            @Nullable
            String answer = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset())).readLine();
            return answer != null && answer.strip().equalsIgnoreCase(YES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
