package dev.sweep.partitioning;

import dev.sweep.jooq.StoreDatabase;
import java.time.Instant;

/** The statements of export and restore. They work on tables of their own, which nobody else uses. */
final class ArchiveStatements {

    private final StoreDatabase database;

    ArchiveStatements(StoreDatabase database) {
        this.database = database;
    }

    // @formatter:off

    /** So that what is written does not depend on the session. */
    String plainText() {
        return "set local timezone = 'UTC'; set local datestyle = 'ISO'; set local client_encoding = 'UTF8'";
    }

    /** Parameters: schema, table. The names of the columns, as SQL and CSV write them. */
    String columns() {
        return """
            select string_agg(quote_ident(a.attname), ',' order by a.attnum)
            from pg_catalog.pg_attribute a
            join pg_catalog.pg_class c on c.oid = a.attrelid
            join pg_catalog.pg_namespace n on n.oid = c.relnamespace
            where n.nspname = ? and c.relname = ? and a.attnum > 0 and not a.attisdropped
            """;
    }

    String count(String table) {
        return "select count(*) from " + table(table);
    }

    /** Parameters: last id, rows. The id that ends the next chunk; no row: what is left is the last chunk. */
    String endOfChunk(String table) {
        return "select id from " + table(table) + " where id > ? order by id offset ? limit 1";
    }

    /** Of the ids after the first, up to the second. */
    String copyOut(String table, String columns, String key, long after, long to) {
        return "copy (select " + columns + " from " + table(table) + " where id > " + after + " and id <= " + to
            + " order by " + key + ") to stdout (format csv)";
    }

    String copyIn(String table, String columns) {
        return "copy " + table(table) + " (" + columns + ") from stdin (format csv, header true)";
    }

    /** As a partition, with a CHECK of its bounds, so that attaching it needs no look at its rows. */
    String create(PartitionTable table, PartitionRange range) {
        String lower = range.from().equals(Instant.MIN) ? "" : "created_at >= '" + range.from() + "' and ";
        return "create table " + table(table.leaf(range.name())) + " (like " + table(table.parent())
            + " including all, primary key (" + table.key() + "), check (" + lower + "created_at < '" + range.to() + "'))";
    }

    // @formatter:on

    private String table(String name) {
        return database.quotedSchema() + "." + name;
    }
}
