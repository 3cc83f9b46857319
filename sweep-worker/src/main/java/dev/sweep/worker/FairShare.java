package dev.sweep.worker;

/** Which claims look at all priorities alike: a share of those that follow when there is more than was asked for. */
final class FairShare {

    private final double share;
    private double owed;

    /** @param share 0 to 1 */
    FairShare(double share) {
        this.share = share;
    }

    /** Whether the next claim is one of them. Without a backlog nobody is kept waiting, so none is. */
    boolean nextIsEven(boolean isBacklogged) {
        owed += isBacklogged ? share : 0;
        boolean isDue = owed >= 1;
        owed -= isDue ? 1 : 0;
        return isDue;
    }
}
