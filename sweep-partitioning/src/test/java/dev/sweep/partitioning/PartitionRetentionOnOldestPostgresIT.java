package dev.sweep.partitioning;

/** Retention on the oldest PostgreSQL that Sweep promises to run on. */
class PartitionRetentionOnOldestPostgresIT extends PartitionRetentionIT {

    @Override
    Installation newInstallation() {
        return Installation.onOldest();
    }
}
