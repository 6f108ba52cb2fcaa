"""Faults of disks and of processes, for the trial `verify.faults`."""
