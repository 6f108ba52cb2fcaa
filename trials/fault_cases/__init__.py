"""The faults that `trials.faults` tries: of disks and of processes."""
