package dev.sweep.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows under a head, in columns as wide as their widest cell; every cell is made {@link Printable}. */
final class Table {

    private static final int WIDEST_CELL = 60;

    /** How the cells of a column stand. */
    enum Align {
        LEFT,
        RIGHT
    }

    /** A column's title and how its cells stand. */
    record Column(String title, Align align) {}

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    Table(Column... columns) {
        this.columns = List.of(columns);
    }

    static Column left(String title) {
        return new Column(title, Align.LEFT);
    }

    static Column right(String title) {
        return new Column(title, Align.RIGHT);
    }

    void row(String... cells) {
        List<String> row = new ArrayList<>();
        for (String cell : cells) {
            row.add(Printable.of(cell, WIDEST_CELL));
        }
        rows.add(row);
    }

    void print(PrintWriter out) {
        out.println(line(columns.stream().map(Column::title).toList()));
        rows.forEach(row -> out.println(line(row)));
        out.flush();
    }

    private String line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String gap = " ".repeat(width(i) - cells.get(i).length());
            boolean isRight = columns.get(i).align() == Align.RIGHT;
            line.append(i == 0 ? "" : "  ").append(isRight ? gap + cells.get(i) : cells.get(i) + gap);
        }
        return line.toString().stripTrailing();
    }

    private int width(int column) {
        int widest = columns.get(column).title().length();
        for (List<String> row : rows) {
            widest = Math.max(widest, row.get(column).length());
        }
        return widest;
    }
}
