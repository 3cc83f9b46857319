package dev.sweep.jmh;

/** What a number of tasks took of the server. */
record Cost(long tasks, long walBytes, long statements, long commits) {

    static final Cost NONE = new Cost(0, 0, 0, 0);

    Cost plus(Cost other) {
        return new Cost(
                tasks + other.tasks, walBytes + other.walBytes, statements + other.statements, commits + other.commits);
    }
}
