package dev.sweep;

import java.util.List;

/** Settings that can't work, all faults at once. Reaction: mend them; nothing was started. */
public final class InvalidConfigurationException extends SweepException {

    private static final long serialVersionUID = 1L;

    private final String[] faults;

    /** @param faults one sentence per fault: the setting, its value, the bound and the remedy */
    public InvalidConfigurationException(List<String> faults) {
        super(String.join("; ", faults));
        this.faults = faults.toArray(String[]::new);
    }

    public List<String> faults() {
        return List.of(faults);
    }
}
