package dev.sweep.partitioning;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;

/**
 * What the exported files of one range hold. Written last, so where it is, they are whole.
 *
 * @param range {@link java.time.Instant#MIN} is its begin if it had no lower bound
 * @param tables one file each
 */
record ArchiveManifest(String schema, PartitionRange range, Map<PartitionTable, Table> tables) {

    private static final String FORMAT = "1";

    /**
     * One table's file.
     *
     * @param columns in the order of the file
     * @param sha256 of the CSV before it is compressed, so that it does not depend on the compressor
     */
    record Table(String file, String columns, long rows, String sha256) {}

    ArchiveManifest {
        tables = Map.copyOf(tables);
    }

    Table of(PartitionTable table) {
        return Objects.requireNonNull(tables.get(table), table::parent);
    }

    /** Of a table's file. A schema may have any letters. */
    static String name(String schema, String rest) {
        StringBuilder name = new StringBuilder();
        schema.chars().forEach(letter -> {
            if (letter < 128 && (Character.isLetterOrDigit(letter) || letter == '_' || letter == '-')) {
                name.append((char) letter);
            } else {
                name.append('%').append(Integer.toHexString(letter)).append('.');
            }
        });
        return name + "-" + rest;
    }

    /** Of the manifest itself. */
    static String nameOf(String schema, String range) {
        return name(schema, range + ".properties");
    }

    String text() throws IOException {
        Properties values = new Properties();
        values.setProperty("format", FORMAT);
        values.setProperty("schema", schema);
        values.setProperty("range", range.name());
        values.setProperty("from", RetirementLog.text(range.from()));
        values.setProperty("to", RetirementLog.text(range.to()));
        tables.forEach((table, its) -> {
            values.setProperty(table.parent() + ".file", its.file());
            values.setProperty(table.parent() + ".columns", its.columns());
            values.setProperty(table.parent() + ".rows", Long.toString(its.rows()));
            values.setProperty(table.parent() + ".sha256", its.sha256());
        });
        StringWriter text = new StringWriter();
        values.store(text, "An exported range of Sweep");
        return text.toString();
    }

    static ArchiveManifest read(Path path) throws IOException {
        Properties values = new Properties();
        try (Reader reader = Files.newBufferedReader(path, StandardCharsets.UTF_8)) {
            values.load(reader);
        }
        if (!FORMAT.equals(values.getProperty("format"))) {
            throw new IOException(
                    path + " has format " + values.getProperty("format") + "; this version reads " + FORMAT);
        }
        Map<PartitionTable, Table> tables = new EnumMap<>(PartitionTable.class);
        for (PartitionTable table : PartitionTable.ALL) {
            tables.put(
                    table,
                    new Table(
                            value(path, values, table.parent() + ".file"),
                            value(path, values, table.parent() + ".columns"),
                            Long.parseLong(value(path, values, table.parent() + ".rows")),
                            value(path, values, table.parent() + ".sha256")));
        }
        return new ArchiveManifest(
                value(path, values, "schema"),
                new PartitionRange(
                        value(path, values, "range"),
                        RetirementLog.instant(value(path, values, "from")),
                        RetirementLog.instant(value(path, values, "to"))),
                tables);
    }

    private static String value(Path path, Properties values, String key) throws IOException {
        String value = values.getProperty(key);
        if (value == null) {
            throw new IOException(path + " has no '" + key + "'; it is not whole");
        }
        return value;
    }
}
