package dev.sweep.spi;

/** SPI: a store that can bring its own schema up to date. */
public interface MigratableStore {

    /** Brings the schema to the version that this code needs; repeatable, and safe while others do the same. */
    void migrate();
}
