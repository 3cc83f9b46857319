package dev.sweep.partitioning;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the tables of a retired range.
 *
 * @param last the stage at which the retirement ends
 * @param folder where they are written to first; null: nowhere
 */
record TableFate(RetirementStage last, @Nullable Path folder) {

    static final TableFate DROP = new TableFate(RetirementStage.DROPPED, null);
    static final TableFate KEEP = new TableFate(RetirementStage.KEPT, null);

    /** Nothing for now: released tables wait for a run that knows what becomes of them. */
    static final TableFate UNDECIDED = new TableFate(RetirementStage.RELEASED, null);

    static TableFate export(Path folder) {
        return new TableFate(RetirementStage.DROPPED, folder);
    }

    RetiredRange.Fate inReport() {
        if (folder != null) {
            return RetiredRange.Fate.EXPORTED;
        }
        return last == RetirementStage.KEPT ? RetiredRange.Fate.KEPT : RetiredRange.Fate.DROPPED;
    }
}
