package dev.sweep;

import java.util.List;

/** Settings that can't work, all faults at once. Reaction: mend them; nothing was started. */
public final class InvalidConfigurationException extends SweepException {

    private static final long serialVersionUID = 1L;

    private final List<String> faults;

    /** @param faults one sentence per fault: the setting, its value, the bound and the remedy */
    public InvalidConfigurationException(List<String> faults) {
        super(String.join("; ", faults));
        this.faults = List.copyOf(faults);
    }

    public List<String> faults() {
        return faults;
    }
}
