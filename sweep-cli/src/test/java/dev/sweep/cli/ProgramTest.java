package dev.sweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {

    @TempDir
    private Path folder;

    @Test
    void isFoundByItsPathOrOnThePath() throws IOException {
        Path script = Files.createFile(folder.resolve("handle.sh"));
        assertThat(script.toFile().setExecutable(true)).isTrue();

        assertThat(Program.find(script.toString(), List.of("--fast"), Map.of()).commandLine())
                .containsExactly(script.toString(), "--fast");
        assertThat(Program.find("handle.sh", List.of(), Map.of("PATH", "/no/such:" + folder))
                        .path())
                .isEqualTo(script);
    }

    @Test
    void fileThatIsNotExecutableIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("data.txt"));

        assertThatThrownBy(() -> Program.find(file.toString(), List.of(), Map.of()))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("make it executable");
    }

    @Test
    void folderIsRefused() {
        assertThatThrownBy(() -> Program.find(folder.toString(), List.of(), Map.of()))
                .isInstanceOf(CliException.class);
    }
}
