package dev.sweep.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the jar's manifest names. */
final class VersionProvider implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"sweep " + version()};
    }

    static String version() {
        String version = SweepCommand.class.getPackage().getImplementationVersion();
        return version == null ? "built from source" : version;
    }
}
