"""Configurations shipped with the program."""
