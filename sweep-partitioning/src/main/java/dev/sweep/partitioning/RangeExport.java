package dev.sweep.partitioning;

import dev.sweep.StoreException;
import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPOutputStream;
import org.postgresql.PGConnection;

/**
 * Writes the tables of a range as compressed CSV with a header, {@value #ROWS} rows a statement, so that no snapshot is held
 * for long. May be repeated; another export of the same name in the folder is never replaced by something else.
 */
final class RangeExport {

    private static final int ROWS = 50_000;
    private static final Limits PATIENT = Limits.patient(Duration.ofMinutes(10));

    private final StoreDatabase database;
    private final ArchiveStatements statements;
    private final Path folder;
    private final BooleanSupplier isOver;

    /** @param isOver asked between statements */
    RangeExport(StoreDatabase database, Path folder, BooleanSupplier isOver) {
        this.isOver = isOver;
        this.database = database;
        this.statements = new ArchiveStatements(database);
        this.folder = folder;
    }

    /** Ends with the manifest on the disk. */
    void write(PartitionRange range) {
        try {
            Files.createDirectories(folder);
            Map<PartitionTable, Path> written = new EnumMap<>(PartitionTable.class);
            Map<PartitionTable, ArchiveManifest.Table> tables = new EnumMap<>(PartitionTable.class);
            try {
                for (PartitionTable table : PartitionTable.ALL) {
                    Path temporary = Files.createTempFile(folder, "sweep-export-", ".tmp");
                    written.put(table, temporary);
                    tables.put(table, write(table, range, temporary));
                }
                publish(new ArchiveManifest(database.schema(), range, tables), written);
            } finally {
                for (Path left : written.values()) {
                    Files.deleteIfExists(left);
                }
            }
        } catch (IOException | UncheckedIOException e) {
            throw new StoreException(
                    "range " + range.name() + " can't be exported to " + folder + " (" + e.getMessage()
                            + "); its tables stay as they are; make room or name another folder",
                    e);
        }
    }

    private void publish(ArchiveManifest manifest, Map<PartitionTable, Path> written) throws IOException {
        String name = ArchiveManifest.nameOf(manifest.schema(), manifest.range().name());
        Path place = folder.resolve(name);
        if (Files.exists(place) && !ArchiveManifest.read(place).equals(manifest)) {
            throw new IOException(place + " tells of another export of that name; move it and its files away");
        }
        for (Map.Entry<PartitionTable, Path> file : written.entrySet()) {
            DurableFile.publish(
                    file.getValue(), folder, manifest.of(file.getKey()).file());
        }
        Path temporary = Files.createTempFile(folder, "sweep-export-", ".tmp");
        Files.writeString(temporary, manifest.text(), StandardCharsets.UTF_8);
        DurableFile.publish(temporary, folder, name);
    }

    private ArchiveManifest.Table write(PartitionTable table, PartitionRange range, Path path) throws IOException {
        String name = table.leaf(range.name());
        String columns = database.inTransaction(
                Limits.OF_ROWS,
                sql -> sql.fetchSingle(statements.columns(), database.schema(), name)
                        .get(0, String.class));
        DigestOutputStream csv =
                new DigestOutputStream(new GZIPOutputStream(Files.newOutputStream(path), 1 << 16), Sha256.digest());
        long rows;
        try (csv) {
            csv.write((columns + "\n").getBytes(StandardCharsets.UTF_8));
            rows = copy(table, name, columns, csv);
        }
        long counted = database.inTransaction(
                PATIENT, sql -> sql.fetchSingle(statements.count(name)).get(0, Long.class));
        if (rows != counted) {
            throw new IOException(rows + " rows of " + name + " were written, but it has " + counted);
        }
        return new ArchiveManifest.Table(
                ArchiveManifest.name(database.schema(), name + ".csv.gz"),
                columns,
                rows,
                Sha256.text(csv.getMessageDigest()));
    }

    private long copy(PartitionTable table, String name, String columns, OutputStream csv) {
        long rows = 0;
        long after = Long.MIN_VALUE;
        while (after < Long.MAX_VALUE) {
            if (isOver.getAsBoolean()) {
                throw new RunIsOver();
            }
            long to = endOfChunk(name, after);
            rows += copy(statements.copyOut(name, columns, table.key(), after, to), csv);
            after = to;
        }
        return rows;
    }

    private long endOfChunk(String name, long after) {
        return database.inTransaction(
                PATIENT,
                sql -> sql.fetchOptional(statements.endOfChunk(name), after, ROWS)
                        .map(row -> row.get(0, Long.class))
                        .orElse(Long.MAX_VALUE));
    }

    private long copy(String statement, OutputStream csv) {
        return database.inTransaction(PATIENT, sql -> {
            sql.execute(statements.plainText());
            return sql.connectionResult(connection -> {
                try {
                    return connection.unwrap(PGConnection.class).getCopyAPI().copyOut(statement, csv);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        });
    }
}
