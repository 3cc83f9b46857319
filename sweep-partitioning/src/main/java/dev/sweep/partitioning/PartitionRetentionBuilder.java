package dev.sweep.partitioning;

import dev.sweep.InvalidConfigurationException;
import dev.sweep.jooq.StoreDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Collects the settings of a {@link PartitionRetention}. Not thread-safe. */
public final class PartitionRetentionBuilder {

    private static final Duration LEAST = Duration.ofMinutes(1);
    private static final Duration MOST = Duration.ofDays(36_500);

    private final StoreDatabase database;
    private Duration finishedFor = Duration.ofDays(7);
    private TableFate fate = TableFate.DROP;

    PartitionRetentionBuilder(StoreDatabase database) {
        this.database = database;
    }

    /**
     * How long a task stays after it finished, and how long a range is over before it is looked at; 1 minute to 36,500 days,
     * the default is 7 days. Weeks go as a whole, so the first tasks of one stay a week longer.
     */
    public PartitionRetentionBuilder finishedFor(Duration finishedFor) {
        this.finishedFor = finishedFor;
        return this;
    }

    /** The tables of a retired range are dropped; the default. */
    public PartitionRetentionBuilder thenDrop() {
        this.fate = TableFate.DROP;
        return this;
    }

    /** The tables of a retired range stay in the schema, as tables of their own; Sweep never touches them again. */
    public PartitionRetentionBuilder thenKeep() {
        this.fate = TableFate.KEEP;
        return this;
    }

    /**
     * The tables of a retired range are written to this folder of this process, made if need be, then dropped.
     * {@link PartitionArchive} reads them back.
     */
    public PartitionRetentionBuilder thenExport(Path folder) {
        this.fate = TableFate.export(folder);
        return this;
    }

    /**
     * The retention with these settings, checked.
     *
     * @throws InvalidConfigurationException with all faults at once
     */
    public PartitionRetention build() {
        List<String> faults = new ArrayList<>();
        if (finishedFor.compareTo(LEAST) < 0 || finishedFor.compareTo(MOST) > 0) {
            faults.add(
                    "finishedFor " + finishedFor + " is out of range; use " + LEAST + " to " + MOST.toDays() + " days");
        }
        Path folder = fate.folder();
        if (folder != null && Files.exists(folder) && !(Files.isDirectory(folder) && Files.isWritable(folder))) {
            faults.add("export folder " + folder + " is no folder that can be written to; name another");
        }
        if (!faults.isEmpty()) {
            throw new InvalidConfigurationException(faults);
        }
        return new PartitionRetention(database, new RetentionConfig(finishedFor, fate));
    }
}
