package dev.sweep.cli.bench;

/** The bench can't go on, or what it measured can't be believed; the message says why. */
public final class BenchException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public BenchException(String message) {
        super(message);
    }

    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
