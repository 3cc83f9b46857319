/**
 * The PostgreSQL store. {@link dev.sweep.jooq.JooqTaskStore} implements the SPI; beside it stands one class per concern:
 * {@code Enqueuer}, {@code Claims} (with {@code ClaimFloors}), {@code Outcomes}, {@code Leases},
 * {@code HandlerTransactions}, {@code TaskReader}, {@code SchemaMigrator}, {@code SchemaCheck}. Hot statements are the
 * texts of {@code TaskStatements}, on connections of Sweep's own ({@code HotSession}); reads go through jOOQ on types
 * generated from the migrated schema; SQL callers and Java share the functions of {@code db/sweep}.
 */
@NullMarked
package dev.sweep.jooq;

import org.jspecify.annotations.NullMarked;
