"""The faults that `verify.faults` tries: of disks and of processes."""
