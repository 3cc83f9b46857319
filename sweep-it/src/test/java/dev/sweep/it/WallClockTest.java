package dev.sweep.it;

import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.sweep.Sweep;
import dev.sweep.event.TaskEvent;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.spi.TaskStore;
import dev.sweep.worker.Worker;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Case B85: what is due, leased or kept is judged by the database's clock, so a wrong clock of a host moves nothing. */
class WallClockTest {

    private static final List<String> CLOCKS = List.of(
            "java.lang.System.currentTimeMillis",
            "java.time.(Instant|LocalDate|LocalTime|LocalDateTime|OffsetDateTime|OffsetTime|ZonedDateTime|Year).now",
            "java.time.Clock.(system|systemUTC|systemDefaultZone|tick.*)",
            "java.util.Calendar.getInstance");

    /** It measures how long a lease has been held: the monotonic clock may stand still while a host is suspended. */
    private static final String MEASURES_WITH_BOTH_CLOCKS = "dev.sweep.worker.Moment";

    private static final ArchRule NOBODY_READS_THE_HOSTS_CLOCK = noClasses()
            .that(DescribedPredicate.not(nameMatching(MEASURES_WITH_BOTH_CLOCKS)))
            .should()
            .callMethodWhere(DescribedPredicate.describe(
                    "reads the host's clock",
                    call -> CLOCKS.stream()
                            .anyMatch(
                                    clock -> (call.getTargetOwner().getName() + "." + call.getName()).matches(clock))))
            .orShould()
            .callConstructorWhere(DescribedPredicate.describe(
                    "makes a date of now",
                    call -> call.getTargetOwner().isEquivalentTo(Date.class)
                            && call.getTarget().getRawParameterTypes().isEmpty()));

    @Test
    void productCodeNeverReadsTheHostsClock() {
        NOBODY_READS_THE_HOSTS_CLOCK.check(new ClassFileImporter()
                .importUrls(
                        List.of(Sweep.class, TaskStore.class, TaskEvent.class, Worker.class, JooqTaskStore.class)
                                .stream()
                                .map(type -> type.getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation())
                                .distinct()
                                .toList()));
    }

    @Test
    void everyKindOfReadingIsSeen() {
        for (Class<?> bad :
                List.of(Millis.class, Now.class, Zoned.class, Dated.class, Ticking.class, OldDate.class, Old.class)) {
            assertThat(NOBODY_READS_THE_HOSTS_CLOCK
                            .evaluate(new ClassFileImporter().importClasses(bad))
                            .hasViolation())
                    .as("%s is rejected", bad.getSimpleName())
                    .isTrue();
        }
    }

    static final class Millis {
        final long at = System.currentTimeMillis();
    }

    static final class Now {
        final Instant at = Instant.now();
    }

    static final class Zoned {
        final ZonedDateTime at = ZonedDateTime.now(ZoneOffset.UTC);
    }

    static final class Dated {
        final LocalDate at = LocalDate.now(ZoneOffset.UTC);
    }

    static final class Ticking {
        final Clock clock = Clock.systemUTC();
    }

    @SuppressWarnings("JavaUtilDate")
    static final class OldDate {
        final Date at = new Date();
    }

    static final class Old {
        final Calendar at = Calendar.getInstance();
    }
}
