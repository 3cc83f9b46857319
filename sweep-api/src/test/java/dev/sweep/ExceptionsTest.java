package dev.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExceptionsTest {

    @Test
    void duplicateTaskNamesTheKeyItsOwnerAndTheRemedy() {
        DuplicateTaskException duplicate = new DuplicateTaskException("welcome:42", TaskId.of(7));

        assertThat(duplicate.owner()).isEqualTo(TaskId.of(7));
        assertThat(duplicate.dedupKey()).isEqualTo("welcome:42");
        assertThat(duplicate)
                .hasMessage("dedup key 'welcome:42' is taken by task 7; nothing was enqueued;"
                        + " use that task, another key, or OnDuplicate.KEEP_EXISTING");
    }

    @Test
    void invalidConfigurationTellsAllFaultsAtOnce() {
        List<String> faults = new ArrayList<>(List.of("batch 0 is out of range", "lease PT0S is too short"));
        InvalidConfigurationException invalid = new InvalidConfigurationException(faults);
        faults.clear();

        assertThat(invalid).hasMessage("batch 0 is out of range; lease PT0S is too short");
        assertThat(invalid.faults()).containsExactly("batch 0 is out of range", "lease PT0S is too short");
        assertThatThrownBy(() -> invalid.faults().clear()).isInstanceOf(UnsupportedOperationException.class);
    }
}
