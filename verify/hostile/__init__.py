"""Malicious files, names, paths and requests, and the processes that receive them."""
