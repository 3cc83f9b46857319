package dev.sweep.partitioning;

/** Ends work of a run that was told to end; what is half done is made anew by the next one. */
final class RunIsOver extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RunIsOver() {
        super("the run was told to end; the next one goes on");
    }
}
