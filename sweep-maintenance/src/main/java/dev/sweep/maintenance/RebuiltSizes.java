package dev.sweep.maintenance;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How large indexes were when they had just been rebuilt: one that the estimate takes for bloated all the same is not rebuilt
 * again and again. As text, what is kept from run to run.
 */
record RebuiltSizes(Map<String, Long> bytes) {

    static final RebuiltSizes NONE = new RebuiltSizes(Map.of());

    private static final int WORTH_IT = 2;
    private static final String BETWEEN = "\n";

    RebuiltSizes {
        bytes = Map.copyOf(bytes);
    }

    static RebuiltSizes parse(String text) {
        Map<String, Long> bytes = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            int space = line.indexOf(' ');
            if (line.matches("\\d{1,18} .+")) {
                bytes.put(line.substring(space + 1), Long.valueOf(line.substring(0, space)));
            }
        });
        return new RebuiltSizes(bytes);
    }

    RebuiltSizes with(String index, long size) {
        Map<String, Long> more = new LinkedHashMap<>(bytes);
        more.put(index, size);
        return new RebuiltSizes(more);
    }

    /** Whether a rebuild may win something. */
    boolean hasGrown(String index, long size) {
        return size > WORTH_IT * bytes.getOrDefault(index, 0L);
    }

    @Override
    public String toString() {
        return bytes.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .sorted()
                .collect(Collectors.joining(BETWEEN));
    }
}
