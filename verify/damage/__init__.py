"""Damage to files, the kinds of files, and the process that reads them."""
