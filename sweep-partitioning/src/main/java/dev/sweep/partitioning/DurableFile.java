package dev.sweep.partitioning;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A file that is there whole or not at all, also after a power failure. */
final class DurableFile {

    private DurableFile() {}

    /** Puts what was written under a temporary name into its place. */
    static void publish(Path written, Path folder, String name) throws IOException {
        try (FileChannel file = FileChannel.open(written, StandardOpenOption.WRITE)) {
            file.force(true);
        }
        Files.move(written, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceFolder(folder);
    }

    /** Some systems can't open a folder; they keep its entries without being told. */
    private static void forceFolder(Path folder) throws IOException {
        FileChannel entries;
        try {
            entries = FileChannel.open(folder, StandardOpenOption.READ);
        } catch (IOException unsupported) {
            return;
        }
        try (entries) {
            entries.force(true);
        }
    }
}
