package dev.sweep.spi;

/**
 * SPI: the connections that a store draws from.
 *
 * @param total how many there are at most, for the store and for whoever shares them
 * @param kept how many of them a store keeps while a worker runs on it
 */
public record ConnectionBudget(int total, int kept) {

    /** How many transactions of handlers may run at once, if nobody else takes connections; not positive: none. */
    public int transactions() {
        return total - kept;
    }
}
