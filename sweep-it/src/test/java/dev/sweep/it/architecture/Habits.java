package dev.sweep.it.architecture;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.core.domain.JavaClass.Predicates;
import com.tngtech.archunit.lang.ArchRule;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Disabled;

/** Habits we ban everywhere, tests included. */
final class Habits {

    /** Code waits for an event with a deadline, or a test steps the time. */
    static final ArchRule NOBODY_SLEEPS = noClasses()
            .should()
            .callMethodWhere(
                    target(owner(Predicates.equivalentTo(Thread.class).or(Predicates.equivalentTo(TimeUnit.class))))
                            .and(target(name("sleep"))));

    /** A test that must not run is deleted or fixed. */
    static final ArchRule NO_TEST_CLASS_IS_DISABLED = noClasses().should().beAnnotatedWith(Disabled.class);

    static final ArchRule NO_TEST_METHOD_IS_DISABLED = noMethods().should().beAnnotatedWith(Disabled.class);

    private Habits() {}
}
