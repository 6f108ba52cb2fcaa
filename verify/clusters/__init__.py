"""Machines, runs on clusters of them, and an object store."""
