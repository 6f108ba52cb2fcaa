"""Malicious files, names, paths and requests, and the processes in which they are tried."""
