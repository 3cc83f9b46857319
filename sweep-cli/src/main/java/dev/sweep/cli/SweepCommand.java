package dev.sweep.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code sweep}: the parent of all commands; alone it prints the help. */
@Command(
        name = "sweep",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = VersionProvider.class,
        synopsisSubcommandLabel = "COMMAND",
        usageHelpAutoWidth = true,
        usageHelpWidth = 100,
        sortOptions = false,
        header = "Durable task queues on PostgreSQL.",
        descriptionHeading = "%n",
        description =
                "A task is enqueued in your own transaction, and run by workers until it has succeeded. All commands"
                        + " take --url or SWEEP_URL, except demo and bench, which bring a database of their own.",
        commandListHeading = "%nCommands:%n",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExamples:%n",
        footer = {
            "  sweep demo",
            "  export SWEEP_URL=jdbc:postgresql://localhost:5432/app SWEEP_USER=app",
            "  sweep migrate",
            "  sweep enqueue --type mail --payload '{\"to\":\"a@b.c\"}'",
            "  sweep work --type mail --exec ./send-mail.py",
            "  sweep COMMAND --help"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all is well",
            "1:something failed or is not as asked (no such task, a count of the demo or bench is off)",
            "2:wrong options or wrong input; the message says what to mend",
            "3:the database can't be reached or refuses the login",
            "4:the schema is missing, too old or too new: run @|bold sweep migrate|@",
            "5:the doctor warns: something should be mended before it hurts",
            "6:the doctor found a fault: tasks are held up or lost, or will be soon"
        })
final class SweepCommand implements Runnable {

    private final Confirmation confirmation;

    @Spec
    private CommandSpec spec;

    private SweepCommand(Confirmation confirmation) {
        this.confirmation = confirmation;
    }

    /** Who is asked before many tasks are changed. */
    Confirmation confirmation() {
        return confirmation;
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** The whole command, writing UTF-8 to stdout, whatever the locale: machines read it. */
    static CommandLine commandLine() {
        PrintWriter out = new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8), true);
        return commandLine(out, new PrintWriter(new OutputStreamWriter(System.err, Charset.defaultCharset()), true));
    }

    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return commandLine(out, err, Confirmation.onTerminal());
    }

    static CommandLine commandLine(PrintWriter out, PrintWriter err, Confirmation confirmation) {
        return new CommandLine(new SweepCommand(confirmation))
                .addSubcommand(new DemoCommand())
                .addSubcommand(new BenchCommand())
                .addSubcommand(new MigrateCommand())
                .addSubcommand(new EnqueueCommand())
                .addSubcommand(new WorkCommand())
                .addSubcommand(new MaintainCommand())
                .addSubcommand(new WorkersCommand())
                .addSubcommand(new StatsCommand())
                .addSubcommand(new ListCommand())
                .addSubcommand(new ShowCommand())
                .addSubcommand(new AwaitCommand())
                .addSubcommand(new CancelCommand())
                .addSubcommand(new RequeueCommand())
                .addSubcommand(new DeadCommand())
                .addSubcommand(new ReprioritiseCommand())
                .addSubcommand(new RescheduleCommand())
                .addSubcommand(new PauseCommand())
                .addSubcommand(new ResumeCommand())
                .addSubcommand(new PartitionsCommand())
                .addSubcommand(new DoctorCommand())
                .addSubcommand(new MetricsCommand())
                .addSubcommand(new DemoWorkerCommand())
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                // An @ is part of the value: of --payload @FILE, and of what a program gets.
                .setExpandAtFiles(false)
                .setExecutionStrategy(OptionsOnce::execute)
                .setParameterExceptionHandler(FaultReport::ofUsage)
                .setExecutionExceptionHandler(FaultReport::ofExecution);
    }
}
