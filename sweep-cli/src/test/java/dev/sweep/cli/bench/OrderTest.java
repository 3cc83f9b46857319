package dev.sweep.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OrderTest {

    @Test
    void whatTheParentOrdersTheProcessReads() {
        Order order =
                Order.producer("sweep", 5_000_000_000L, 1_000, 4, 100).keyed().perSecond(50);

        assertThat(Order.of(order.words().toArray(String[]::new))).isEqualTo(order);
        assertThat(Order.of(Order.worker("classic", 16, true).words().toArray(String[]::new)))
                .isEqualTo(Order.worker("classic", 16, true));
    }

    @Test
    void tasksOfTheWarmUpAreTakenOffWithTheirTime() {
        Tally all = new Tally(100, 1_000_000, 5_000_000);

        assertThat(all.since(new Tally(20, 1_000_000, 3_000_000))).isEqualTo(new Tally(80, 3_000_000, 5_000_000));
        assertThat(all.since(Tally.NONE)).isEqualTo(all);
        assertThat(all.and(new Tally(1, 900_000, 2_000_000))).isEqualTo(new Tally(101, 900_000, 5_000_000));
        assertThat(all.and(Tally.NONE)).isEqualTo(all);
        assertThat(Tally.NONE.and(all)).isEqualTo(all);
    }
}
