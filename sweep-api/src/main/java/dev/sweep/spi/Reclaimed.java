package dev.sweep.spi;

import java.util.List;

/**
 * SPI: what a reclaim did.
 *
 * @param returned attempts whose task waits again, with one more loss
 * @param failed attempts whose task was lost once too often and has failed
 */
public record Reclaimed(List<Attempt> returned, List<Attempt> failed) {

    public Reclaimed {
        returned = List.copyOf(returned);
        failed = List.copyOf(failed);
    }

    public int size() {
        return returned.size() + failed.size();
    }
}
