"""Code that several trials share: processes, folders, disks and pages."""
