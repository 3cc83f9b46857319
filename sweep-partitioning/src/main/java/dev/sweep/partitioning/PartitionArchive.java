package dev.sweep.partitioning;

import dev.sweep.StoreException;
import dev.sweep.jooq.JooqTaskStore;
import dev.sweep.jooq.StoreDatabase;
import dev.sweep.jooq.StoreDatabase.Limits;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.jooq.DSLContext;
import org.postgresql.PGConnection;

/** Reads back what the retention has written to a folder. Thread-safe. */
public final class PartitionArchive {

    private static final Limits PATIENT = Limits.patient(Duration.ofHours(6));

    private final StoreDatabase database;
    private final ArchiveStatements statements;
    private final RetirementStatements retirements;

    private PartitionArchive(StoreDatabase database) {
        this.database = database;
        this.statements = new ArchiveStatements(database);
        this.retirements = new RetirementStatements(database);
    }

    public static PartitionArchive of(JooqTaskStore store) {
        return new PartitionArchive(store.database());
    }

    /**
     * Makes the three tables of an exported range again, such as {@code task_2026w40}, as tables of their own: nothing is
     * attached, so the queue does not see them. All or nothing, in one transaction that is as long as the range is large.
     *
     * @param folder that was exported to
     * @param range the name of the range, such as {@code 2026w40}
     * @return how many rows there are now in the three tables
     * @throws StoreException if a file is missing, changed or cut, names other columns than the tables have, or one of the tables
     *     exists; nothing is made then
     */
    public long restore(Path folder, String range) {
        Path place = folder.resolve(ArchiveManifest.nameOf(database.schema(), range));
        try {
            if (!Files.exists(place)) {
                throw new IOException("there is no " + place + "; name the folder and the range of an export");
            }
            ArchiveManifest manifest = ArchiveManifest.read(place);
            if (!manifest.schema().equals(database.schema())
                    || !manifest.range().name().equals(range)) {
                throw new IOException(
                        place + " tells of range " + manifest.range().name() + " of schema " + manifest.schema());
            }
            return database.inTransaction(PATIENT, sql -> restore(sql, folder, manifest));
        } catch (IOException | UncheckedIOException e) {
            throw new StoreException("range " + range + " was not restored: " + e.getMessage(), e);
        }
    }

    private long restore(DSLContext sql, Path folder, ArchiveManifest manifest) {
        sql.fetch(retirements.tables(manifest.range().name()), database.schema()).stream()
                .findFirst()
                .ifPresent(there -> {
                    throw new UncheckedIOException(new IOException("table " + there.get("name", String.class)
                            + " exists; rename or drop it, if that is what you want, and its two sisters"));
                });
        for (PartitionTable table : PartitionTable.ALL) {
            checkColumns(sql, table, manifest.of(table).columns());
        }
        sql.execute(statements.plainText());
        long rows = 0;
        for (PartitionTable table : PartitionTable.ALL) {
            sql.execute(statements.create(table, manifest.range()));
            rows += restore(sql, table.leaf(manifest.range().name()), folder, manifest.of(table));
        }
        return rows;
    }

    /** They become part of a statement, so they must be what the catalog itself would write, quotes included. */
    private void checkColumns(DSLContext sql, PartitionTable table, String columns) {
        String known = sql.fetchSingle(statements.columns(), database.schema(), table.parent())
                .get(0, String.class);
        List<String> named = List.of(columns.split(",", -1));
        if (!List.of(known.split(",", -1)).containsAll(named)
                || Set.copyOf(named).size() < named.size()) {
            throw new UncheckedIOException(new IOException("its manifest names the columns '" + columns + "' of "
                    + table.parent() + ", which has '" + known + "'; take the manifest that the export wrote"));
        }
    }

    private long restore(DSLContext sql, String name, Path folder, ArchiveManifest.Table table) {
        return sql.connectionResult(connection -> {
            try (DigestInputStream csv = new DigestInputStream(
                    new GZIPInputStream(Files.newInputStream(folder.resolve(table.file())), 1 << 16),
                    Sha256.digest())) {
                long rows = connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyIn(statements.copyIn(name, table.columns()), csv);
                csv.transferTo(OutputStream.nullOutputStream());
                String digest = Sha256.text(csv.getMessageDigest());
                if (rows != table.rows() || !digest.equals(table.sha256())) {
                    throw new IOException(table.file() + " has " + rows + " rows and SHA-256 " + digest
                            + ", but its manifest says " + table.rows() + " and " + table.sha256());
                }
                return rows;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }
}
