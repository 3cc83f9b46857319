package dev.sweep.worker;

/** How many tasks a claim asks for: doubles while claims come back full, halves otherwise. Used by one thread. */
final class BatchSize {

    private final int smallest;
    private final int largest;
    private int size;

    BatchSize(int smallest, int largest) {
        this.smallest = smallest;
        this.largest = largest;
        this.size = smallest;
    }

    int size() {
        return size;
    }

    void claimed(int asked, int came) {
        if (came < asked) {
            size = Math.max(smallest, size / 2);
        } else if (asked >= size) {
            size = Math.min(largest, size * 2);
        }
    }
}
