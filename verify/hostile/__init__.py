"""Malicious files, names, paths and requests for trials."""
