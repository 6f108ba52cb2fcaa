"""Shared parts of trials: processes, folders, disks and pages."""
