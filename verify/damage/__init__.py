"""Damage to stored files, and the functions that read the files and must notice it."""
