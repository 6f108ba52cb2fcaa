"""Simulated machines, clusters and object stores for trials."""
