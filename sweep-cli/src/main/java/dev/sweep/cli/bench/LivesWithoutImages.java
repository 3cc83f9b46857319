package dev.sweep.cli.bench;

import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;

/** The WAL of a task's whole life, without the full-page images that follow each checkpoint. */
final class LivesWithoutImages implements Workload {

    private final Workload lives = new Lives();

    @Override
    public String name() {
        return "life-wal";
    }

    @Override
    public String about() {
        return "as life, with full_page_writes off: the WAL without page images";
    }

    @Override
    public Figure answer() {
        return Figure.WAL_BYTES;
    }

    @Override
    public Set<Ability> needs() {
        return lives.needs();
    }

    @Override
    public boolean needsOwnServer() {
        return true;
    }

    @Override
    public Figures run(Arena arena) throws SQLException, IOException, InterruptedException {
        arena.setting("full_page_writes", "off");
        try {
            return lives.run(arena);
        } finally {
            arena.setting("full_page_writes", "on");
        }
    }
}
