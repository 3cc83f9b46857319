package dev.sweep;

import dev.sweep.spi.TaskRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Cuts tasks into chunks that are bounded in number and in the length of their payloads, and holds one at a time. */
final class RecordChunks implements Iterator<List<TaskRecord>> {

    /** A chunk this long is full: while it is written it is in memory several times. */
    private static final long FULL_CHARS = 8L << 20;

    private final Iterator<TaskRecord> records;

    RecordChunks(Iterator<TaskRecord> records) {
        this.records = records;
    }

    @Override
    public boolean hasNext() {
        return records.hasNext();
    }

    @Override
    public List<TaskRecord> next() {
        List<TaskRecord> chunk = new ArrayList<>();
        long chars = 0;
        do {
            TaskRecord record = records.next();
            chunk.add(record);
            chars += record.payload().length();
        } while (chunk.size() < Sweep.CHUNK && chars < FULL_CHARS && records.hasNext());
        return chunk;
    }
}
