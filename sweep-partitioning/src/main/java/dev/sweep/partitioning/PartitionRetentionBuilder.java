package dev.sweep.partitioning;

import dev.sweep.InvalidConfigurationException;
import dev.sweep.jooq.StoreDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Collects the settings of a {@link PartitionRetention}. Not thread-safe.
 *
 * <p>Both have to be chosen, how long and what then: there is no default, since what an installation is to keep stands in its
 * database, and a default here could be shorter. {@code dev.sweep.maintenance.Retention} reads it; maintenance and
 * {@code sweep partitions retire} go by it.
 */
public final class PartitionRetentionBuilder {

    private static final Duration LEAST = Duration.ofMinutes(1);
    private static final Duration MOST = Duration.ofDays(36_500);

    private final StoreDatabase database;
    private @Nullable Duration finishedFor;
    private @Nullable TableFate fate;

    PartitionRetentionBuilder(StoreDatabase database) {
        this.database = database;
    }

    /**
     * How long a task stays after it finished, and how long a range is over before it is looked at; 1 minute to 36,500 days.
     * Weeks go as a whole, so the first tasks of one stay a week longer.
     */
    public PartitionRetentionBuilder finishedFor(Duration finishedFor) {
        this.finishedFor = finishedFor;
        return this;
    }

    /** The tables of a retired range are dropped. */
    public PartitionRetentionBuilder thenDrop() {
        this.fate = TableFate.DROP;
        return this;
    }

    /**
     * The tables of a retired range stay in the schema, as tables of their own; Sweep never touches them again, unless
     * the clock was ahead and their range is needed anew: then they are attached as they are.
     */
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
        Duration howLong = finishedFor;
        TableFate then = fate;
        List<String> faults = new ArrayList<>();
        if (howLong == null) {
            faults.add(
                    "finishedFor is not set: say how long finished tasks stay, such as what Retention.of(store) reads");
        } else if (howLong.compareTo(LEAST) < 0 || howLong.compareTo(MOST) > 0) {
            faults.add("finishedFor " + howLong + " is out of range; use " + LEAST + " to " + MOST.toDays() + " days");
        }
        if (then == null) {
            faults.add("what becomes of the tables is not said: call thenDrop, thenKeep or thenExport");
        } else {
            folderFault(then.folder()).ifPresent(faults::add);
        }
        if (howLong == null || then == null || !faults.isEmpty()) {
            throw new InvalidConfigurationException(faults);
        }
        return new PartitionRetention(database, new RetentionConfig(howLong, then));
    }

    private static Optional<String> folderFault(@Nullable Path folder) {
        return folder != null && Files.exists(folder) && !(Files.isDirectory(folder) && Files.isWritable(folder))
                ? Optional.of("export folder " + folder + " is no folder that can be written to; name another")
                : Optional.empty();
    }
}
