/**
 * What keeps the database of a task queue in shape. {@code MaintenanceService} runs one
 * {@link dev.sweep.maintenance.Chore} after the other while this process leads ({@code Leadership}, a leased row on the
 * database's clock); each chore is one small class, bounded in rows and time, and goes on where it stopped. What came of each
 * run stands in the table {@code maintenance_chore}. {@code Doctor} looks for what needs a person.
 */
@NullMarked
package dev.sweep.maintenance;

import org.jspecify.annotations.NullMarked;
