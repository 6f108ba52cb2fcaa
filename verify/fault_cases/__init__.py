"""Faults of disks and of processes for `verify.faults`."""
