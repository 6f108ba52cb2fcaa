"""Answers to races as text and JSON, for single races and for files."""
