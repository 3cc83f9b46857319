package dev.sweep.maintenance;

import dev.sweep.SchemaException;
import dev.sweep.jooq.JooqTaskStore;
import java.util.Map;
import org.jooq.DSLContext;

/** Whether this code and the schema can work together: its version, and the indexes without which claims go wrong. */
final class SchemaCheck implements Check {

    private final JooqTaskStore store;

    SchemaCheck(JooqTaskStore store) {
        this.store = store;
    }

    @Override
    public String name() {
        return "schema";
    }

    @Override
    public void examine(DSLContext sql, Findings found) {
        try {
            store.verify();
        } catch (SchemaException unusable) {
            found.fault(
                    String.valueOf(unusable.getMessage()),
                    "create or update the schema with sweep migrate, or upgrade Sweep in the application",
                    Map.of());
        }
        found.otherwise("this version of Sweep can work with the schema", Map.of());
    }
}
