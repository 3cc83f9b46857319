package dev.sweep.maintenance;

import dev.sweep.InvalidConfigurationException;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.partitioning.PartitionManager;
import dev.sweep.partitioning.PartitionManagerBuilder;
import dev.sweep.partitioning.PartitionRetention;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * API: collects the settings of a {@link MaintenanceService}; each has a default. Nothing is checked before {@link #build()},
 * which tells all faults at once. Not thread-safe.
 */
public final class MaintenanceBuilder {

    private static final Duration LONGEST_RETENTION = Duration.ofDays(36_500);
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(1);
    private static final Duration LONGEST_INTERVAL = Duration.ofDays(30);
    private static final int MAX_NAME_CHARS = 100;
    private static final int SUFFIX_CHARS = 8;

    private final JooqTaskStore store;
    private final List<Chore> extraChores = new ArrayList<>();
    private final List<MaintenanceEventListener> listeners = new ArrayList<>();
    private final Map<String, Duration> intervals = new LinkedHashMap<>();
    private final Set<String> switchedOff = new LinkedHashSet<>();
    private final Set<String> only = new LinkedHashSet<>();
    private @Nullable Duration succeededFor;
    private @Nullable Duration cancelledFor;
    private @Nullable Duration deadLettersFor;
    private Retention.@Nullable Fate oldPartitions;
    private @Nullable Path exportFolder;
    private UnaryOperator<PartitionManagerBuilder> partitions = UnaryOperator.identity();
    private Duration workersFor = Duration.ofDays(1);
    private Duration workerLease = Duration.ofMinutes(1);
    private Duration leaseDuration = Duration.ofMinutes(1);
    private Duration budget = Duration.ofSeconds(20);
    private Duration stopTimeout = Duration.ofSeconds(10);
    private String name = "maintenance";

    MaintenanceBuilder(JooqTaskStore store) {
        this.store = store;
    }

    /**
     * How long succeeded tasks stay after their end; 7 days by default; zero: they go with the next run. Like the next ones, it is
     * kept in the database once the service is started or run, before its first chore, and holds for every process until one
     * sets another: any may come to lead. A role that may not lead can't set it; {@link MaintenanceService#health} says so.
     */
    public MaintenanceBuilder succeededFor(Duration succeededFor) {
        this.succeededFor = succeededFor;
        return this;
    }

    /** How long cancelled tasks stay after their end; 7 days by default. Kept in the database. */
    public MaintenanceBuilder cancelledFor(Duration cancelledFor) {
        this.cancelledFor = cancelledFor;
        return this;
    }

    /** How long dead letters stay after the task failed for good; 90 days by default. Kept in the database. */
    public MaintenanceBuilder deadLettersFor(Duration deadLettersFor) {
        this.deadLettersFor = deadLettersFor;
        return this;
    }

    /** Partitions past the retention of finished tasks are dropped; the default. Kept in the database. */
    public MaintenanceBuilder dropOldPartitions() {
        this.oldPartitions = Retention.Fate.DROP;
        return this;
    }

    /** Partitions past the retention stay in the schema as tables of their own. Kept in the database. */
    public MaintenanceBuilder keepOldPartitions() {
        this.oldPartitions = Retention.Fate.KEEP;
        return this;
    }

    /**
     * Partitions past the retention are written to this folder of this process, then dropped. That they are exported is kept
     * in the database: a leader without a folder leaves them.
     */
    public MaintenanceBuilder exportOldPartitions(Path folder) {
        this.oldPartitions = Retention.Fate.EXPORT;
        this.exportFolder = folder;
        return this;
    }

    /** How partitions are created, such as {@code partitions -> partitions.ahead(8).period(myPeriod)}. */
    public MaintenanceBuilder partitions(UnaryOperator<PartitionManagerBuilder> partitions) {
        this.partitions = partitions;
        return this;
    }

    /** How long a worker process that was not seen any more stays listed; one day by default. */
    public MaintenanceBuilder workersFor(Duration workersFor) {
        this.workersFor = workersFor;
        return this;
    }

    /**
     * The longest lease of any worker; one minute by default, twice the default lease. After a start of the database, tasks
     * are not taken back for so long: no worker could beat while it was down.
     */
    public MaintenanceBuilder workerLease(Duration workerLease) {
        this.workerLease = workerLease;
        return this;
    }

    /** How long a chore waits after a run that left nothing to do, instead of its own {@link Chore#interval}. */
    public MaintenanceBuilder interval(String chore, Duration interval) {
        intervals.put(chore, interval);
        return this;
    }

    /** A chore of the application. */
    public MaintenanceBuilder chore(Chore chore) {
        extraChores.add(chore);
        return this;
    }

    /** Hears what the service does; any number of them. */
    public MaintenanceBuilder listener(MaintenanceEventListener listener) {
        listeners.add(listener);
        return this;
    }

    /** Leaves a chore out. */
    public MaintenanceBuilder without(String chore) {
        switchedOff.add(chore);
        return this;
    }

    /** Leaves out all chores but these; by default none is left out. */
    public MaintenanceBuilder only(Collection<String> chores) {
        only.addAll(chores);
        return this;
    }

    /**
     * How long a leader that vanished is waited for, by the database's clock; one minute by default. Shorter: more
     * statements while nothing is to be done.
     */
    public MaintenanceBuilder leaseDuration(Duration leaseDuration) {
        this.leaseDuration = leaseDuration;
        return this;
    }

    /**
     * How long one run of a chore may take until it is asked to end; 20 s by default. The next chore begins beside one that
     * takes longer, as rebuilding an index may.
     */
    public MaintenanceBuilder budget(Duration budget) {
        this.budget = budget;
        return this;
    }

    /** How long {@link MaintenanceService#close} waits for chores under way; 10 s by default. */
    public MaintenanceBuilder stopTimeout(Duration stopTimeout) {
        this.stopTimeout = stopTimeout;
        return this;
    }

    /** What people recognise the leader by, such as the host; 1 to 100 characters. A random suffix makes it unique. */
    public MaintenanceBuilder name(String name) {
        this.name = name;
        return this;
    }

    /**
     * The service, not started.
     *
     * @throws InvalidConfigurationException if any setting is wrong; tells all that is
     */
    public MaintenanceService build() {
        List<String> faults = new ArrayList<>();
        checkTimes(faults);
        checkPartitions(faults);
        addUnless(
                faults,
                !name.isBlank() && name.length() <= MAX_NAME_CHARS,
                "name '" + name + "' has " + name.length() + " characters; use 1 to " + MAX_NAME_CHARS
                        + " that are not all blank");
        String suffix = UUID.randomUUID().toString().substring(0, SUFFIX_CHARS);
        MaintenanceEvents events = new MaintenanceEvents(name + "-" + suffix, listeners);
        List<Chore> chores = new ArrayList<>(
                new Chores(RetentionPolicy.STORED, exportFolder, partitions, workersFor, workerLease, events).all());
        chores.addAll(extraChores);
        checkChores(chores, faults);
        if (!faults.isEmpty()) {
            throw new InvalidConfigurationException(faults);
        }
        return new MaintenanceService(store, config(events, chores), chosen());
    }

    private ChosenRetention chosen() {
        return new ChosenRetention(succeededFor, cancelledFor, deadLettersFor, oldPartitions);
    }

    private MaintenanceConfig config(MaintenanceEvents events, List<Chore> chores) {
        List<ScheduledChore> scheduled = chores.stream()
                .filter(chore -> !switchedOff.contains(chore.name()))
                .filter(chore -> only.isEmpty() || only.contains(chore.name()))
                .map(chore -> new ScheduledChore(chore, intervals.getOrDefault(chore.name(), chore.interval())))
                .toList();
        return new MaintenanceConfig(events, scheduled, leaseDuration, budget, stopTimeout);
    }

    private void checkPartitions(List<String> faults) {
        Path folder = exportFolder;
        try {
            partitions.apply(PartitionManager.builder(store)).build();
            if (folder != null) {
                PartitionRetention.builder(store)
                        .finishedFor(Retention.DEFAULT.ofPartitions())
                        .thenExport(folder)
                        .build();
            }
        } catch (InvalidConfigurationException wrong) {
            faults.addAll(wrong.faults());
        }
    }

    private static void retention(List<String> faults, String setting, @Nullable Duration value) {
        if (value != null) {
            range(faults, setting, value, Duration.ZERO, LONGEST_RETENTION);
        }
    }

    private void checkTimes(List<String> faults) {
        retention(faults, "succeededFor", succeededFor);
        retention(faults, "cancelledFor", cancelledFor);
        retention(faults, "deadLettersFor", deadLettersFor);
        range(faults, "workersFor", workersFor, Duration.ofMinutes(1), LONGEST_RETENTION);
        range(faults, "workerLease", workerLease, Duration.ofMillis(100), Duration.ofDays(1));
        range(faults, "leaseDuration", leaseDuration, Duration.ofMillis(300), Duration.ofHours(1));
        range(faults, "budget", budget, Duration.ofMillis(10), Duration.ofHours(1));
        range(faults, "stopTimeout", stopTimeout, Duration.ZERO, Duration.ofHours(1));
    }

    private void checkChores(List<Chore> chores, List<String> faults) {
        Set<String> known = new LinkedHashSet<>();
        for (Chore chore : chores) {
            addUnless(
                    faults,
                    !chore.name().isBlank() && chore.name().length() <= MAX_NAME_CHARS,
                    "a chore is named '" + chore.name() + "'; use 1 to " + MAX_NAME_CHARS
                            + " characters that are not all blank");
            addUnless(
                    faults,
                    known.add(chore.name()),
                    "two chores are named '" + chore.name() + "'; rename one, or leave it out");
            range(
                    faults,
                    "interval of chore '" + chore.name() + "'",
                    intervals.getOrDefault(chore.name(), chore.interval()),
                    SHORTEST_INTERVAL,
                    LONGEST_INTERVAL);
        }
        Set<String> named = new HashSet<>(intervals.keySet());
        named.addAll(switchedOff);
        named.addAll(only);
        named.stream()
                .filter(chore -> !known.contains(chore))
                .sorted()
                .forEach(chore ->
                        faults.add("there is no chore '" + chore + "'; there are " + String.join(", ", known)));
    }

    private static void range(List<String> faults, String setting, Duration value, Duration min, Duration max) {
        addUnless(
                faults,
                value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
                setting + " " + value + " is out of range; use " + min + " to " + max);
    }

    private static void addUnless(List<String> faults, boolean isRight, String fault) {
        if (!isRight) {
            faults.add(fault);
        }
    }
}
