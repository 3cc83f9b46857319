package dev.sweep.testing;

import dev.sweep.spi.Attempt;
import dev.sweep.spi.Reclaimed;
import java.util.ArrayList;
import java.util.List;

/** Reclaims as workers do: again and again, a few at a time. */
final class ContractReclaim {

    private ContractReclaim() {}

    static Reclaimed until(int count, ContractPart part) {
        List<Attempt> returned = new ArrayList<>();
        List<Attempt> failed = new ArrayList<>();
        return part.eventually(
                () -> {
                    Reclaimed some = part.reclaimNow(1_000);
                    returned.addAll(some.returned());
                    failed.addAll(some.failed());
                    return new Reclaimed(returned, failed);
                },
                all -> all.size() >= count);
    }
}
