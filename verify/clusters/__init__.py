"""Machines for trials, runs on clusters of them, and an object store."""
