package dev.sweep;

/** Thrown by handlers: the task can never succeed; it fails now, whatever retries it has left. */
public class NoRetryException extends SweepException {

    private static final long serialVersionUID = 1L;

    public NoRetryException(String message) {
        super(message);
    }

    public NoRetryException(String message, Throwable cause) {
        super(message, cause);
    }
}
