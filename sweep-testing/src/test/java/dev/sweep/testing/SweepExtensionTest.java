package dev.sweep.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.sweep.Json;
import dev.sweep.Sweep;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.spi.PayloadCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.EventConditions;
import org.junit.platform.testkit.engine.EventType;
import org.junit.platform.testkit.engine.Events;

class SweepExtensionTest {

    private static final TaskType<Json> A = TaskType.json("a");
    private static final TaskType<Json> B = TaskType.json("b");
    private static final Json EMPTY = Json.of("{}");
    private static final Instant START = Instant.parse("2030-01-31T08:00:00Z");

    @RegisterExtension
    static final SweepExtension shared = SweepExtension.inMemory(START);

    private final List<String> ran = new ArrayList<>();

    @RegisterExtension
    final SweepExtension tasks =
            SweepExtension.inMemory().handle(A, (payload, context) -> ran.add("a " + context.attempt()));

    @BeforeEach
    void handle() {
        tasks.handle(B, (payload, context) -> ran.add("b"));
    }

    @Test
    void handlersOfFieldSetUpAndTestRun() {
        TaskType<Json> mine = TaskType.json("c");
        tasks.handle(mine, (payload, context) -> ran.add("c"));
        tasks.sweep().enqueueAll(List.of(A.with(EMPTY), B.with(EMPTY), mine.with(EMPTY)));

        tasks.drain().hasRun(3).hasNoFailures();

        assertThat(ran).containsExactlyInAnyOrder("a 1", "b", "c");
    }

    @Test
    void aHandlerMayBeAddedAfterADrain() {
        TaskType<Json> late = TaskType.json("late");
        tasks.sweep().enqueue(late.with(EMPTY));
        tasks.drain().hasRun(0);

        tasks.handle(late, (payload, context) -> ran.add("late"));

        tasks.drain().hasRun(1);
    }

    @Test
    void oneAttemptIsRunAtATime() {
        tasks.sweep().enqueueAll(List.of(A.with(EMPTY), A.with(EMPTY)));

        tasks.runNext().hasRun(1);
        tasks.assertThatTasks().enqueued(A).get(1).hasStatus(TaskStatus.PENDING);
        tasks.runNext().hasRun(1);
        tasks.runNext().hasRun(0);
    }

    @Test
    void timeThatPassesMakesTasksDue() {
        tasks.sweep().enqueue(A.with(EMPTY).delay(Duration.ofDays(1)));

        tasks.drain().hasRun(0);
        tasks.advance(Duration.ofDays(1)).drain().hasRun(1);
    }

    @Test
    void theClockBeginsWhereItWasTold() {
        assertThat(shared.time().now()).isEqualTo(START);
        shared.advance(Duration.ofHours(1));
    }

    @Test
    void theClockBeginsThereForEachTest() {
        assertThat(shared.time().now()).isEqualTo(START);
        shared.advance(Duration.ofHours(1));
    }

    @Test
    void memoryHasNoDatabaseAndSaysWhatHas() {
        assertThatThrownBy(tasks::dataSource)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("use SweepExtension.onPostgres");
        assertThatThrownBy(tasks::schema).hasMessageContaining("use SweepExtension.onPostgres");
    }

    @Nested
    class InNestedClasses {

        @Test
        void theExtensionsOfTheOuterClassServe() {
            tasks.sweep().enqueue(A.with(EMPTY));
            tasks.drain().hasRun(1);
            assertThat(shared.sweep().list(TaskQuery.newest())).isEmpty();
        }
    }

    @Test
    void failuresThatNobodyAskedForFailTheTest() {
        Events tests = run(Swallowing.class);

        assertThat(failureOf(tests, "passesByItself"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("nobody asked about 2 failures of handlers")
                .hasMessageContaining("(type a), which has failed for good: java.lang.IllegalStateException: broken 1")
                .hasMessageContaining("drain().hasFailures(n)")
                .hasCause(new IllegalStateException("broken 1"))
                .satisfies(error -> assertThat(error.getSuppressed())
                        .singleElement()
                        .satisfies(other -> assertThat(other).hasMessage("broken 2")));
        assertThat(failureOf(tests, "failsByItself"))
                .hasMessage("my own")
                .satisfies(
                        own -> assertThat(own.getSuppressed()[0]).hasMessageContaining("nobody asked about 1 failure"));
        tests.succeeded().assertEventsMatchExactly(EventConditions.test("asksForFailures"));
    }

    static final class Swallowing {

        private static final TaskType<Json> ONCE = A.maxRetries(0);

        @RegisterExtension
        final SweepExtension tasks = SweepExtension.inMemory().handle(ONCE, (payload, context) -> {
            throw new IllegalStateException("broken " + payload.text());
        });

        @Test
        void passesByItself() {
            tasks.sweep().enqueueAll(List.of(ONCE.with(Json.of("1")), ONCE.with(Json.of("2"))));
            tasks.drain();
        }

        @Test
        void failsByItself(Sweep sweep, SteppedEngine engine) {
            sweep.enqueue(ONCE.with(EMPTY));
            engine.drain();
            throw new AssertionError("my own");
        }

        @Test
        void asksForFailures(Sweep sweep) {
            sweep.enqueue(ONCE.with(EMPTY));
            assertThat(tasks.drain().failures()).singleElement().satisfies(failure -> {
                assertThat(failure.cause()).hasMessage("broken {}");
                assertThat(failure.isFinal()).isTrue();
            });
        }
    }

    @Test
    void misuseIsToldWithItsRemedy() {
        Events tests = run(Misused.class);

        assertThat(failureOf(tests, "usesAnExtensionThatIsNotRegistered"))
                .hasMessageContaining("no test runs; is the field of this SweepExtension annotated");
        assertThat(failureOf(tests, "changesASweepThatIsThere"))
                .hasMessageContaining("the Sweep of this test is built already");
    }

    static final class Misused {

        private final SweepExtension forgotten = SweepExtension.inMemory();

        @RegisterExtension
        final SweepExtension tasks = SweepExtension.inMemory();

        @Test
        void usesAnExtensionThatIsNotRegistered() {
            forgotten.drain();
        }

        @Test
        void changesASweepThatIsThere() {
            tasks.sweep(settings -> settings.maxPayloadBytes(10));
        }
    }

    @Test
    void aSchemaNeedsAStaticField() {
        assertThat(failureOf(run(WithoutSchema.class), "asksForOne"))
                .hasMessageContaining("declare the field of the SweepExtension static");
    }

    static final class WithoutSchema {

        @RegisterExtension
        final SweepExtension tasks = SweepExtension.onPostgres((source, schema) -> InMemoryTaskStore.create());

        @Test
        void asksForOne() {}
    }

    @Test
    void testsThatRunAtOnceCanNotShareAnExtension() {
        assertThatThrownBy(() -> tasks.beforeEach(null))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another test uses this SweepExtension")
                .hasMessageContaining("not static");
    }

    @Test
    void sweepIsBuiltAsTheFieldSays() {
        assertThat(run(WithCodec.class).failed().list()).isEmpty();
    }

    static final class WithCodec {

        private static final TaskType<Integer> NUMBER = TaskType.of("number", Integer.class);

        @RegisterExtension
        final SweepExtension tasks = SweepExtension.inMemory()
                .sweep(settings -> settings.codec(new PayloadCodec() {
                    @Override
                    public String encode(Object payload) {
                        return "\"number " + payload + "\"";
                    }

                    @Override
                    public <P> P decode(String json, Class<P> payloadClass) {
                        return payloadClass.cast(Integer.valueOf(json.replaceAll("\\D", "")));
                    }
                }));

        @Test
        void payloadsGoThroughIt() {
            tasks.sweep().enqueue(NUMBER.with(7));

            assertThat(tasks.assertThatTasks()
                            .enqueued(NUMBER)
                            .single()
                            .hasPayload(7)
                            .task()
                            .payload())
                    .isEqualTo("\"number 7\"");
        }
    }

    private static Events run(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute()
                .testEvents();
    }

    private static Throwable failureOf(Events tests, String test) {
        return tests.failed().stream()
                .filter(event -> event.getType() == EventType.FINISHED)
                .filter(event -> event.getTestDescriptor().getDisplayName().startsWith(test))
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .map(result -> result.getThrowable().orElseThrow())
                .findFirst()
                .orElseThrow(() -> new AssertionError(test + " did not fail"));
    }
}
