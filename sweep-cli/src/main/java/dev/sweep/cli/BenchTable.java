package dev.sweep.cli;

import dev.sweep.cli.bench.BenchResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** The result of a bench for people. */
final class BenchTable {

    private BenchTable() {}

    static void print(BenchResult result, PrintWriter out) {
        Table table = new Table(
                Table.left("WORKLOAD"),
                Table.left("CONTENDER"),
                Table.left("MEASURED"),
                Table.right("MEDIAN"),
                Table.right("SPREAD"),
                Table.left("RATIO"),
                Table.right("WAL B"),
                Table.right("COMMITS/100"),
                Table.right("SERVER US"),
                Table.right("CLIENT US"));
        for (BenchResult.Row row : result.rows()) {
            List<String> cells = new ArrayList<>(
                    List.of(row.workload(), row.contender(), row.answer(), row.median(), row.spread(), row.ratios()));
            cells.addAll(row.costs());
            table.row(cells.toArray(String[]::new));
        }
        table.print(out);
        result.rows().stream()
                .filter(row -> !row.more().isEmpty())
                .forEach(row -> out.println(row.workload() + " of " + row.contender() + ": " + row.more()));
        out.flush();
    }
}
