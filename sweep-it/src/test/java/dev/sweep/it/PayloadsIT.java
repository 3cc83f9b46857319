package dev.sweep.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.sweep.InvalidPayloadException;
import dev.sweep.Json;
import dev.sweep.RetryPolicy;
import dev.sweep.Task;
import dev.sweep.TaskId;
import dev.sweep.TaskQuery;
import dev.sweep.TaskStatus;
import dev.sweep.TaskType;
import dev.sweep.event.TaskEvent.TasksClaimed;
import dev.sweep.worker.Worker;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What goes in comes out, and what can't be read hurts only its own task. */
@SuppressWarnings("try") // workers run beside a body that does not name them
class PayloadsIT {

    private enum Level {
        LOW,
        HIGH
    }

    private record Order(long count, String text, Level level, BigInteger number, JsonNode tree) {}

    /** As it should have been from the start. */
    private record MendedOrder(String count) {}

    private record Measure(double zero, float tenth) {}

    private record Amounts(BigDecimal price, BigDecimal exact, long big, BigDecimal sum, BigDecimal huge) {}

    private static final TaskType<Order> ORDER =
            TaskType.of("order", Order.class).maxRetries(2);
    private static final int HEALTHY = 50;

    @RegisterExtension
    static final Database db = Database.named("payloads");

    /** Cases B77 and B82. */
    @Test
    void payloadsThatCanNotBeReadFailOnlyTheirOwnTasks() throws Exception {
        Map<String, String> poison = new LinkedHashMap<>();
        poison.put("text", "{\"text\": \"" + "x".repeat(20_000_001) + "\"}");
        poison.put("number", "{\"count\": 1, \"number\": " + "9".repeat(1_501) + "}");
        poison.put("tree", "{\"count\": 1, \"tree\": " + "[".repeat(1_001) + "]".repeat(1_001) + "}");
        poison.put("count", "{\"count\": \"x\"}");
        poison.put("level", "{\"count\": 1, \"level\": \"MIDDLE\"}");
        poison.put("missing count", "{\"count\": null}");
        poison.put("top", "[1, 2]");
        Map<String, TaskId> ids = new LinkedHashMap<>();
        poison.forEach((field, json) -> ids.put(field, enqueuePastTheGate("order", json)));
        TaskId unknownField = enqueuePastTheGate("order", "{\"count\": 1, \"added_later\": true}");
        List<TaskId> waiting = List.of(enqueuePastTheGate("nobodys", poison.get("text")));
        db.sweep.enqueueAll(IntStream.range(0, HEALTHY)
                .mapToObj(i ->
                        ORDER.with(new Order(i, "t", Level.HIGH, BigInteger.TEN, JsonNodeFactory.instance.nullNode())))
                .toList());
        try (Worker worker = Database.started(db.worker("w")
                .queue("default", 100)
                .batch(100, 100)
                .retryPolicy(RetryPolicy.fixed(Duration.ZERO))
                .handle(ORDER, (order, context) -> {}))) {
            ids.values().forEach(id -> db.awaitStatus(id, TaskStatus.FAILED));
            db.awaitStatus(unknownField, TaskStatus.SUCCEEDED);
            db.awaitCount(HEALTHY + 1, "sweep.task_outcome where status = 'succeeded'");
            assertThat(worker.health().downReasons()).isEmpty();
        }
        assertThat(db.events.of(TasksClaimed.class).get(0).count())
                .as("the first claim brought them all")
                .isEqualTo(ids.size() + 1 + HEALTHY);
        ids.forEach((field, id) -> {
            Task task = db.task(id);
            assertThat(task.retryCount()).isEqualTo(2);
            assertThat(task.error()).get().asString().contains("can't be read as " + Order.class.getName());
        });
        for (String field : List.of("text", "count", "level", "tree")) {
            assertThat(db.task(ids.get(field)).error()).get().asString().contains("at field " + field);
        }
        assertThat(db.sweep.list(TaskQuery.newest().limit(100))).hasSize(ids.size() + 2 + HEALTHY);
        assertThat(db.sweep.cancel(waiting.get(0))).contains(TaskStatus.CANCELLED);
    }

    /** Case B82. */
    @Test
    void aTaskThatCouldNotBeReadIsReadByAMendedClass() throws Exception {
        TaskId id = enqueuePastTheGate("order", "{\"count\": \"x\"}");
        try (Worker before = Database.started(db.worker("before").handle(ORDER, (order, context) -> {}))) {
            Awaiting.until("the task has failed once", () -> db.task(id).retryCount() > 0);
        }
        Map<String, String> read = new ConcurrentHashMap<>();
        try (Worker after = Database.started(db.worker("after")
                .handle(
                        TaskType.of("order", MendedOrder.class),
                        (order, context) -> read.put("count", order.count())))) {
            db.awaitStatus(id, TaskStatus.SUCCEEDED);
        }
        assertThat(read).containsEntry("count", "x");
    }

    /** Case B77. */
    @Test
    void theSamePayloadsAreRefusedAtEnqueueWithTheBound() {
        TaskType<Json> type = TaskType.json("t");
        assertThatThrownBy(() -> db.sweep.enqueue(type.with(Json.of("\"" + "x".repeat(20_000_001) + "\""))))
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageContaining("has 20000003 bytes; at most 1048576 are allowed");
        assertThatThrownBy(() -> db.sweep.enqueue(type.with(Json.of("9".repeat(1_501)))))
                .hasMessageContaining("of more than 1000 digits");
        assertThatThrownBy(() -> db.sweep.enqueue(type.with(Json.of("[".repeat(1_001) + "]".repeat(1_001)))))
                .hasMessageContaining("nested deeper than 500 levels");
        assertThat(db.count("sweep.task")).isZero();
    }

    /** Past the bounds of Java and of {@code enqueue_task}: by a function beneath both, as whoever goes round them could. */
    private static TaskId enqueuePastTheGate(String type, String json) {
        try (Connection connection = db.transaction();
                PreparedStatement call = connection.prepareStatement(db.inSchema("""
                        select task_ids[1] from sweep.enqueue_tasks(array[?], array[?], array['default'], array[1::smallint],
                            array[2], array[5::smallint], array[null::timestamptz], array[0::bigint], array[null::text],
                            null, null, null, null)
                        """))) {
            call.setString(1, type);
            call.setString(2, json);
            try (ResultSet row = call.executeQuery()) {
                row.next();
                TaskId id = TaskId.of(row.getLong(1));
                connection.commit();
                return id;
            }
        } catch (SQLException e) {
            throw new IllegalStateException(type + " of " + json.length() + " characters", e);
        }
    }

    /** Case B78. */
    @Test
    void aNulCharacterIsRefusedWithItsPathAndTheCallersTransactionGoesOn() throws Exception {
        TaskType<Map<String, Object>> type = mapType("map");
        Map<String, Map<String, Object>> refused = Map.of(
                "in the text at /a", Map.of("a", "x\u0000y"),
                "in the text at /outer/inner/1", Map.of("outer", Map.of("inner", List.of("fine", "\u0000"))),
                "in a key of the object at /outer", Map.of("outer", Map.of("k\u0000", 1)));
        try (Connection tx = db.transaction()) {
            db.execute(tx, "insert into sweep.fx (task_id, transactional) values (1, false)");
            refused.forEach((place, payload) -> assertThatThrownBy(() -> db.sweep.enqueue(tx, type.with(payload)))
                    .isInstanceOf(InvalidPayloadException.class)
                    .hasMessageContaining("has a NUL character " + place)
                    .hasMessageContaining("nothing was written"));
            db.execute(tx, "insert into sweep.fx (task_id, transactional) values (2, false)");
            tx.commit();
        }
        assertThat(db.query("select task_id from sweep.fx order by 1")).containsExactly(1L, 2L);
        assertThat(db.count("sweep.task")).isZero();
    }

    /** Case B80. */
    @Test
    void numbersArriveExactlyAsTheyWereEnqueued() throws Exception {
        BigDecimal price = new BigDecimal("1.10");
        BigDecimal exact = new BigDecimal("12345678901234567890.12");
        long big = 9_007_199_254_740_993L;
        BigDecimal sum = new BigDecimal("0.1").add(new BigDecimal("0.2"));
        BigDecimal huge = new BigDecimal("1E400");
        Amounts amounts = new Amounts(price, exact, big, sum, huge);
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("price", price);
        map.put("exact", exact);
        map.put("big", big);
        map.put("sum", sum);
        map.put("huge", huge);
        JsonNode tree = JsonNodeFactory.instance
                .objectNode()
                .put("price", price)
                .put("exact", exact)
                .put("big", big)
                .put("sum", sum)
                .put("huge", huge);
        String text = "{\"price\": 1.10, \"exact\": 12345678901234567890.12, \"big\": 9007199254740993, \"sum\": 0.3,"
                + " \"huge\": 1E400}";

        TaskType<Amounts> typed = TaskType.of("typed", Amounts.class);
        TaskType<Map<String, Object>> asMap = mapType("map");
        TaskType<JsonNode> asTree = TaskType.of("tree", JsonNode.class);
        TaskType<Json> asText = TaskType.json("text");
        TaskId typedId = db.sweep.enqueue(typed.with(amounts)).id();
        db.sweep.enqueue(asMap.with(map));
        db.sweep.enqueue(asTree.with(tree));
        db.sweep.enqueue(asText.with(Json.of(text)));
        Map<String, Object> arrived = new ConcurrentHashMap<>();
        try (Worker worker = Database.started(db.worker("w")
                .handle(typed, (payload, context) -> arrived.put("typed", payload))
                .handle(asMap, (payload, context) -> arrived.put("map", payload))
                .handle(asTree, (payload, context) -> arrived.put("tree", payload))
                .handle(asText, (payload, context) -> arrived.put("text", payload)))) {
            db.awaitCount(4, "sweep.task_outcome where status = 'succeeded'");
        }
        // jsonb keeps the value 1E400 and writes it out.
        BigDecimal writtenOut = huge.setScale(0);
        assertThat(arrived.get("typed"))
                .usingRecursiveComparison()
                .withEqualsForType((a, b) -> a.compareTo(b) == 0, BigDecimal.class)
                .isEqualTo(amounts);
        assertThat(((Amounts) arrived.get("typed")).price())
                .as("scale included")
                .isEqualTo(price);
        assertThat(((Amounts) arrived.get("typed")).exact()).isEqualTo(exact);
        Map<String, Object> expected = new LinkedHashMap<>(map);
        expected.put("huge", writtenOut.toBigInteger());
        assertThat(arrived.get("map")).isEqualTo(expected);
        JsonNode arrivedTree = (JsonNode) arrived.get("tree");
        assertThat(arrivedTree.get("price").decimalValue()).isEqualTo(price);
        assertThat(arrivedTree.get("exact").decimalValue()).isEqualTo(exact);
        assertThat(arrivedTree.get("big").longValue()).isEqualTo(big);
        assertThat(arrivedTree.get("huge").bigIntegerValue()).isEqualTo(writtenOut.toBigInteger());
        assertThat(((Json) arrived.get("text")).text())
                .contains("\"price\": 1.10")
                .contains("12345678901234567890.12")
                .contains("9007199254740993");
        assertThat(db.task(typedId).payload()).contains("1.10").contains("12345678901234567890.12");

        assertThatThrownBy(() -> db.sweep.enqueue(asText.with(Json.of("{\"n\": 1E200000}"))))
                .isInstanceOf(InvalidPayloadException.class)
                .hasMessageContaining("number at /n of more than 1000 digits");
    }

    /** Case B80: the one number that JSON has and PostgreSQL has not. */
    @Test
    void zeroLosesItsSignAndNoOtherNumberAnything() throws Exception {
        TaskType<Measure> type = TaskType.of("measure", Measure.class);
        db.sweep.enqueue(type.with(new Measure(-0.0, 0.1f)));
        Map<String, Measure> arrived = new ConcurrentHashMap<>();
        try (Worker worker =
                Database.started(db.worker("w").handle(type, (measure, context) -> arrived.put("it", measure)))) {
            db.awaitCount(1, "sweep.task_outcome where status = 'succeeded'");
        }
        assertThat(arrived).containsEntry("it", new Measure(0.0, 0.1f));
    }

    @SuppressWarnings("unchecked")
    private static TaskType<Map<String, Object>> mapType(String name) {
        return TaskType.of(name, (Class<Map<String, Object>>) (Class<?>) Map.class);
    }
}
