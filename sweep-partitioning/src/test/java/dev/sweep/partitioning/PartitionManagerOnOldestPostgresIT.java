package dev.sweep.partitioning;

class PartitionManagerOnOldestPostgresIT extends PartitionManagerIT {

    @Override
    Installation newInstallation() {
        return Installation.onOldest();
    }
}
