package dev.sweep.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the jar's manifest names. */
final class VersionProvider implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = SweepCommand.class.getPackage().getImplementationVersion();
        return new String[] {"sweep " + (version == null ? "(built from source)" : version)};
    }
}
