"""Damage to stored files, and the readers that must notice it."""
