package dev.sweep.cli;

import dev.sweep.maintenance.Diagnosis;
import dev.sweep.maintenance.Doctor;
import dev.sweep.maintenance.Finding.Level;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code sweep doctor}: what needs a person. */
@Command(
        name = "doctor",
        header = "Look for what needs a person, and say what to do about it.",
        description =
                "Only reads; needs no superuser, and says what its role can't see. Exit code 0: all is well; 5: warnings;"
                        + " 6: faults. With --json: one object with level and findings.",
        footer = {"  sweep doctor", "  sweep doctor --json | jq '.findings[] | select(.level != \"ok\")'"})
final class DoctorCommand implements Callable<Integer> {

    private static final int CONNECTIONS = 1;

    @Mixin
    private OutputOptions output;

    @ArgGroup(validate = false, heading = DatabaseOptions.HEADING)
    private DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        Diagnosis diagnosis;
        try (OpenSweep opened = database.connect(CONNECTIONS)) {
            diagnosis = Doctor.of(opened.store()).examine();
        }
        if (output.isJson()) {
            output.out().println(JsonText.line(DoctorReport.json(diagnosis)));
        } else {
            DoctorReport.print(diagnosis, output.out());
        }
        return exitCode(diagnosis.level());
    }

    static int exitCode(Level level) {
        return switch (level) {
            case OK -> ExitCode.OK;
            case WARNING -> ExitCode.WARNING;
            case FAULT -> ExitCode.FAULT;
        };
    }
}
