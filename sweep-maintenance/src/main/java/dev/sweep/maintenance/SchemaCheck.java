package dev.sweep.maintenance;

import dev.sweep.SchemaException;
import dev.sweep.jooq.JooqTaskStore;
import java.util.List;
import java.util.Map;

/**
 * Whether this code and the schema can work together: its version, and the indexes without which claims go wrong. Comes before
 * all {@link Check}s, and on a connection of the store's choice.
 */
final class SchemaCheck {

    private static final String NAME = "schema";

    private final JooqTaskStore store;

    SchemaCheck(JooqTaskStore store) {
        this.store = store;
    }

    List<Finding> examine() {
        Findings found = new Findings(NAME);
        try {
            store.verify();
        } catch (SchemaException unusable) {
            found.fault(
                    String.valueOf(unusable.getMessage()),
                    "create or update the schema with sweep migrate, or upgrade Sweep in the application",
                    Map.of());
        } catch (RuntimeException problem) {
            found.couldNotLook(problem);
        }
        found.otherwise("this version of Sweep can work with the schema", Map.of());
        return found.all();
    }
}
