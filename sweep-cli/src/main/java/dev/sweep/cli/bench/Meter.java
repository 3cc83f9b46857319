package dev.sweep.cli.bench;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Measures what one run costs: begun when all are connected, ended when the work is done, read when they have gone. */
final class Meter {

    private static final double NANOS_PER_MICRO = 1_000;
    private static final double HUNDRED = 100;

    private final ServerCounters counters;
    private final Optional<ServerCpu> server;
    private final Pause pause;

    Meter(Connection connection, Pause pause) throws SQLException {
        this.counters = new ServerCounters(connection);
        this.server = ServerCpu.behind(connection);
        this.pause = pause;
    }

    boolean seesServer() {
        return server.isPresent();
    }

    ServerCounters counters() {
        return counters;
    }

    /** To be called before the processes are there: then their sessions can be told from others. */
    Run prepare() throws SQLException {
        return new Run(counters.sessions(), counters.transactions(), counters.pageImages());
    }

    /** One measurement. */
    final class Run {

        private final long sessionsBefore;
        private final long transactionsBefore;
        private final @Nullable Long imagesBefore;
        private Moment begun = Moment.NONE;
        private Moment ended = Moment.NONE;

        private Run(long sessionsBefore, long transactionsBefore, @Nullable Long imagesBefore) {
            this.sessionsBefore = sessionsBefore;
            this.transactionsBefore = transactionsBefore;
            this.imagesBefore = imagesBefore;
        }

        /** All are connected and nothing has begun. */
        void begin(Supplier<Duration> clientCpu) throws SQLException {
            begun = moment(clientCpu);
        }

        /** The work is done, and all are still there. */
        void end(Supplier<Duration> clientCpu) throws SQLException {
            ended = moment(clientCpu);
        }

        private Moment moment(Supplier<Duration> clientCpu) throws SQLException {
            return new Moment(counters.walPosition(), server.map(ServerCpu::read), MachineCpu.read(), clientCpu.get());
        }

        /**
         * The costs by task; to be called when the processes have ended.
         *
         * @param measured how many tasks were done between begin and end
         * @param inAll how many were done until all had stopped
         */
        Figures figures(long measured, long inAll) throws SQLException, InterruptedException {
            counters.awaitSessions(sessionsBefore, pause);
            double tasks = Math.max(1, measured);
            Figures figures = Figures.NONE
                    .with(Figure.WAL_BYTES, (ended.wal() - begun.wal()) / tasks)
                    .with(
                            Figure.CLIENT_MICROS,
                            micros(ended.client().minus(begun.client()).toNanos(), tasks))
                    .with(
                            Figure.COMMITS,
                            HUNDRED * (counters.transactions() - transactionsBefore) / Math.max(1, inAll));
            return figures.with(images(inAll)).with(serverCpu(tasks)).with(machineCpu());
        }

        private Figures images(long inAll) throws SQLException {
            Long imagesAfter = counters.pageImages();
            return imagesBefore == null || imagesAfter == null
                    ? Figures.NONE
                    : Figures.NONE.with(
                            Figure.PAGE_IMAGES, HUNDRED * (imagesAfter - imagesBefore) / Math.max(1, inAll));
        }

        private Figures serverCpu(double tasks) {
            if (begun.server().isEmpty() || ended.server().isEmpty()) {
                return Figures.NONE;
            }
            ServerCpu.Reading before = begun.server().get();
            ServerCpu.Reading after = ended.server().get();
            return Figures.NONE
                    .with(Figure.SERVER_MICROS, micros(after.clientNanosSince(before), tasks))
                    .with(
                            Figure.BACKGROUND_MICROS,
                            micros(Math.max(0, after.background() - before.background()), tasks));
        }

        private Figures machineCpu() {
            return begun.machine().isEmpty() || ended.machine().isEmpty()
                    ? Figures.NONE
                    : Figures.NONE.with(
                            Figure.MACHINE_PERCENT,
                            ended.machine().get().percentSince(begun.machine().get()));
        }

        private static double micros(long nanos, double tasks) {
            return nanos / NANOS_PER_MICRO / tasks;
        }
    }

    /** All meters at one moment. */
    private record Moment(long wal, Optional<ServerCpu.Reading> server, Optional<MachineCpu> machine, Duration client) {

        private static final Moment NONE = new Moment(0, Optional.empty(), Optional.empty(), Duration.ZERO);
    }
}
