package dev.sweep.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TotalsFolderIT {

    private static final Installation db = Installation.named("totals");
    private static final TotalsFolder FOLDER = new TotalsFolder();

    @AfterAll
    static void close() {
        db.close();
    }

    @BeforeEach
    void empty() {
        db.execute("truncate sweep.stat_delta");
    }

    @Test
    void manyRowsBecomeOnePerStatusWithTheSameSums() {
        add("succeeded", 1_000);
        add("failed", 10);
        assertThat(db.run(FOLDER)).isEqualTo(ChoreResult.done(1_010));
        assertThat(db.query("select status || ' ' || tasks || ' ' || run_micros from sweep.stat_delta order by status"))
                .containsExactly("failed 20 50", "succeeded 2000 5000");
    }

    @Test
    void fewRowsAreLeftAlone() {
        add("succeeded", 5);
        assertThat(db.run(FOLDER)).isEqualTo(ChoreResult.done(0));
        assertThat(db.count("sweep.stat_delta")).isEqualTo(5);
    }

    @Test
    void whatCancelsOutLeavesNoRow() {
        add("cancelled", 10);
        db.execute("insert into sweep.stat_delta (status, tasks, run_micros) values ('cancelled', -20, -50)");
        db.run(FOLDER);
        assertThat(db.count("sweep.stat_delta")).isZero();
    }

    /** Two folds at once, and outcomes that come meanwhile: no snapshot ever has another sum than what was added. */
    @Test
    void theSumsAreRightForEveryReaderWhileTwoFoldAndOthersAdd() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        AtomicBoolean isOver = new AtomicBoolean();
        try {
            add("succeeded", 1_000);
            List<Future<?>> all = new ArrayList<>();
            for (int folder = 0; folder < 2; folder++) {
                all.add(threads.submit(() -> {
                    while (!isOver.get()) {
                        db.run(FOLDER);
                    }
                }));
            }
            all.add(threads.submit(() -> {
                while (!isOver.get()) {
                    db.execute("insert into sweep.stat_delta (status, tasks, run_micros) select 'failed', d, d"
                            + " from generate_series(-30, 30) d");
                }
            }));
            for (int look = 0; look < 100; look++) {
                assertThat(db.query("select sum(tasks) || ' ' || sum(run_micros) from sweep.stat_delta"))
                        .containsExactly("2000 5000");
            }
            isOver.set(true);
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            isOver.set(true);
            threads.shutdownNow();
        }
        assertThat(db.query("select coalesce(sum(tasks), 0) from sweep.stat_delta where status = 'failed'")
                        .toString())
                .isEqualTo("[0]");
    }

    private static void add(String status, int rows) {
        db.execute("insert into sweep.stat_delta (status, tasks, run_micros) select '" + status
                + "', 2, 5 from generate_series(1, " + rows + ")");
    }
}
