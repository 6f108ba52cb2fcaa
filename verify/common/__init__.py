"""What several trials use: commands to break, their folders, disks, machines, pages."""
