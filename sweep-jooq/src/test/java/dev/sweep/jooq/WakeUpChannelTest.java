package dev.sweep.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sweep.spi.WakeUp;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class WakeUpChannelTest {

    @Test
    void holdsTheSchemaAsItIsWritten() {
        assertThat(channel("sweep_a").name()).isEqualTo("sweep:sweep_a");
        assertThat(channel("Sweep-B").quoted()).isEqualTo("\"sweep:Sweep-B\"");
        assertThat(channel("a\"b").quoted()).isEqualTo("\"sweep:a\"\"b\"");
    }

    @Test
    void isShortEnoughAndStillOfOneSchemaOnlyWhenTheSchemaHasALongName() {
        String schema = "s".repeat(62);
        assertThat(channel(schema + "1").name())
                .isNotEqualTo(channel(schema + "2").name());
        for (String name : List.of(schema + "1", "\u00e4".repeat(31), "s".repeat(57), "s".repeat(58))) {
            assertThat(channel(name).name().getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(63);
        }
    }

    @Test
    void whatOnlyANewerVersionKnowsIsNoWakeUp() {
        assertThat(WakeUpText.read("z:default")).isEmpty();
        assertThat(WakeUpText.read("")).isEmpty();
        assertThat(WakeUpText.read(WakeUpText.ofTest("n:default"))).isEmpty();
        assertThat(WakeUpText.read("n:")).contains(new WakeUp.NewTasks(""));
    }

    private static WakeUpChannel channel(String schema) {
        return WakeUpChannel.of(new SchemaName(schema));
    }
}
