package dev.sweep.jmh;

/** Whether a commit survives the loss of power: without that, numbers are no result. */
record Durability(String version, String fsync, String synchronousCommit, String fullPageWrites) {

    static Durability of(Installation installation) {
        return new Durability(
                installation.setting("server_version"),
                installation.setting("fsync"),
                installation.setting("synchronous_commit"),
                installation.setting("full_page_writes"));
    }

    boolean isGiven() {
        return fsync.equals("on") && !synchronousCommit.equals("off");
    }

    @Override
    public String toString() {
        return "PostgreSQL " + version + ", fsync=" + fsync + ", synchronous_commit=" + synchronousCommit
                + ", full_page_writes=" + fullPageWrites
                + (isGiven() ? "" : ": not durable, so these numbers are no result and no floor is judged by them");
    }
}
