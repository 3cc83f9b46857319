package dev.sweep.it;

import dev.sweep.spi.TaskStore;
import dev.sweep.testing.TaskStoreContract;
import dev.sweep.testing.TaskStoreProperties;
import java.time.Duration;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What every store must do, asked of one that is broken; run by {@link NegativeControlsIT} alone, to be seen to fail. */
final class SabotagedStore {

    private SabotagedStore() {}

    static final class Contract extends TaskStoreContract {

        @RegisterExtension
        static final Database db = Database.named("sabotaged");

        @Override
        protected TaskStore newStore() {
            return db.newStore();
        }
    }

    @PropertyDefaults(tries = 300, shrinking = ShrinkingMode.OFF)
    static final class Properties extends TaskStoreProperties {

        private static final Database db = Database.named("sabotaged_too");

        @BeforeContainer
        static void migrate() {
            db.open();
        }

        @AfterContainer
        static void drop() {
            db.drop();
        }

        @Override
        protected TaskStore newStore() {
            db.empty();
            return db.newStore();
        }

        @Override
        protected void passTime(Duration duration) {
            db.passTime(duration);
        }

        @Override
        protected void checkInvariants() {
            db.checkPromises();
        }
    }
}
